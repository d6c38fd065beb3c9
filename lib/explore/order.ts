/**
 * Which calls conflict, and the partial order of a schedule: two schedules that differ only in the order of calls that commute
 * are one (Mazurkiewicz's traces).
 */

export type Access = {
  /** A table, or a place of another service. */
  readonly place: string;
  readonly partition?: string;
  readonly sort?: string;
  readonly writes: boolean;
};

function conflicts(one: Access, other: Access): boolean {
  if (!one.writes && !other.writes) return false;
  if (one.place !== other.place) return false;
  if (one.partition !== undefined && other.partition !== undefined && one.partition !== other.partition) return false;
  return one.sort === undefined || other.sort === undefined || one.sort === other.sort;
}

export function anyConflict(some: readonly Access[], others: readonly Access[]): boolean {
  return some.some((one) => others.some((other) => conflicts(one, other)));
}

type Json = Record<string, unknown>;
type Keys = ReadonlyMap<string, readonly [partition: string, sort: string | undefined]>;

/** @param keys the names of each table's keys */
export function accessesOf(action: string, input: Json, keys: Keys): Access[] {
  const item = (table: string, key: Json, writes: boolean): Access => {
    const [partition, sort] = keys.get(table) ?? ['', undefined];
    return {
      place: table,
      partition: JSON.stringify(key[partition]),
      ...(sort && { sort: JSON.stringify(key[sort]) }),
      writes,
    };
  };
  const table = String(input.TableName);
  switch (action) {
    case 'GetItem':
      return [item(table, input.Key as Json, false)];
    case 'PutItem':
      return [item(table, input.Item as Json, true)];
    case 'UpdateItem':
    case 'DeleteItem':
      return [item(table, input.Key as Json, true)];
    case 'Query':
      return [{ place: table, ...partitionOf(input), writes: false }];
    case 'BatchGetItem':
      return Object.entries(input.RequestItems as Record<string, { Keys: Json[] }>).flatMap(([name, { Keys }]) =>
        Keys.map((key) => item(name, key, false)),
      );
    case 'BatchWriteItem':
      return Object.entries(input.RequestItems as Record<string, Json[]>).flatMap(([name, requests]) =>
        requests.map(({ PutRequest, DeleteRequest }) =>
          item(name, ((PutRequest as Json)?.Item ?? (DeleteRequest as Json)?.Key) as Json, true),
        ),
      );
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return (input.TransactItems as Record<string, Json>[]).flatMap((each) =>
        Object.entries(each).map(([kind, inner]) =>
          item(String(inner.TableName), (inner.Item ?? inner.Key) as Json, kind !== 'ConditionCheck' && kind !== 'Get'),
        ),
      );
    default:
      return [{ place: table, writes: false }];
  }
}

/** The partition of a query `name = :value`, first in its key condition. */
function partitionOf(input: Json): { partition?: string } {
  const [, value = ''] = /^\s*\(?\s*[#\w]+\s*=\s*(:\w+)/.exec(String(input.KeyConditionExpression)) ?? [];
  const found = (input.ExpressionAttributeValues as Json | undefined)?.[value];
  return found === undefined ? {} : { partition: JSON.stringify(found) };
}

type Step = { readonly hash: number; readonly access: Access; readonly label: string; readonly actor: string };

/** Follows one schedule. */
export class PartialOrder {
  readonly #byPlace = new Map<string, Step[]>();
  readonly #actors = new Map<string, number>();
  #sum = 0;

  /**
   * @param label the call's function, action and table, for the pairs
   * @param pairs receives `a|b` for two calls of different actors that conflict, in this order
   */
  add(actor: string, label: string, step: string, accesses: readonly Access[], pairs: Set<string>): void {
    let before = this.#actors.get(actor) ?? 0;
    for (const access of accesses) {
      for (const earlier of this.#byPlace.get(access.place) ?? []) {
        if (!conflicts(access, earlier.access)) continue;
        before = (before + mixed(earlier.hash)) >>> 0;
        if (earlier.actor !== actor) pairs.add(`${earlier.label}|${label}`);
      }
    }
    const hash = textHash(`${actor} ${step} ${before}`);
    for (const access of accesses) {
      const steps = this.#byPlace.get(access.place);
      if (steps) steps.push({ hash, access, label, actor });
      else this.#byPlace.set(access.place, [{ hash, access, label, actor }]);
    }
    this.#actors.set(actor, ((this.#actors.get(actor) ?? 0) + hash) >>> 0);
    this.#sum = (this.#sum + mixed(hash) * 3 + mixed(hash ^ 0x5bd1e995) * 4_294_967) % Number.MAX_SAFE_INTEGER;
  }

  /** The same for schedules with the same partial order. */
  get hash(): number {
    return this.#sum;
  }
}

export function textHash(text: string): number {
  let h = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
  return mixed(h >>> 0);
}

function mixed(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
