import { received } from './clients.ts';
import type { Ground } from './ground.ts';
import type { Call, End, Row } from './scenario.ts';

/** What the promises see of a world that has come to rest. */

/** Items never change, and invariants read the same ones again and again. */
const readItems = new WeakMap<object, Row>();

export function endOf(ground: Ground, calls: readonly Call[], call: End['call']): Omit<End, 'client'> {
  const { rows, outside, now, deadLetters, logs, platform, unseen } = ground;
  const { unmarshall } = platform.modules.native('@aws-sdk/util-dynamodb') as { unmarshall(value: unknown): Row };
  const rowOf = (item: object): Row => {
    const known = readItems.get(item);
    if (known) return known;
    const made = unmarshall(received(item));
    readItems.set(item, made);
    return made;
  };
  const orNull = (item: object | null | undefined) => (item ? rowOf(item) : null);
  const changes: End['changes'] = (table) => {
    const { stream } = platform.functions.tables.find(({ name }) => name === table) ?? {};
    const found = stream
      ? rows.changes.filter((change) => change.table === table).map(({ number, entry }) => ({ ...entry, number }))
      : rows.changesOf(table).map((change, index) => ({ ...change, number: index }));
    return found.map(({ number, before, after }) => ({ number, before: orNull(before), after: orNull(after) }));
  };
  return {
    rows: (table) => rows.items(table).map(rowOf),
    calls,
    outside,
    now,
    deadLetters,
    unseen: [...unseen],
    changes,
    written: () =>
      rows.written.map(({ table, commit, before, after }) => ({
        table,
        commit,
        before: orNull(before),
        after: orNull(after),
      })),
    metric: (name) =>
      logs
        .filter((line) => line.includes(`"${name}":`))
        .map((line) => Number((JSON.parse(line) as Record<string, unknown>)[name])),
    call,
  };
}
