import type { Item } from './dynalite.ts';
import type { StoredTables, Write } from './view.ts';

/** A row whose expiry is longer ago is never deleted. */
const mostYears = 5;
const yearSeconds = 365 * 24 * 60 * 60;

/**
 * The deletions by the tables' time to live.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html
 *
 * @param now milliseconds since 1970
 */
export function expiredIn(tables: StoredTables, now: number, mayExpire: (tableName: string) => boolean): Write[] {
  return [...tables.values()].flatMap((table) => {
    const { timeToLive } = table.settings;
    if (!timeToLive?.Enabled) return [];
    const expired = table.items
      .keys()
      .filter((key) => isExpired(table.items.get(key)?.[timeToLive.AttributeName], now / 1000));
    if (expired.length === 0 || !mayExpire(table.description.TableName)) return [];
    return expired.map((key) => ({ table, key, item: undefined, isExpiry: true }));
  });
}

/** Only a Number is a time; a row with any other type stays. */
function isExpired(value: Item[string] | undefined, seconds: number): boolean {
  const time = value && 'N' in value ? Number(value.N) : Number.NaN;
  return time < seconds && time > seconds - mostYears * yearSeconds;
}
