import type { DynamoDBRecord } from 'aws-lambda';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Any } from '../../../lib/runtime/table-handle.ts';
import { readGenerations } from '../../statistics/exports.ts';
import type { Source, Thing } from '../rules/sources.ts';
import { entryOf, generationsKey, isMoved, type MovedTables, readCounted, readRow } from '../stores/figure-rows.ts';
import type { OverviewEntries, OverviewFigures } from '../tables.ts';

type Counting = {
  readonly tables: MovedTables & { readonly OverviewEntries: OverviewEntries<'get'> };
  readonly of: Any<'get'>;
  readonly source: Source;
  readonly options?: RetryOptions;
};

type BatchCounting = Counting & {
  readonly tables: { readonly OverviewFigures: OverviewFigures<'get'> };
};

/**
 * Counts what a batch of a stream tells, into each generation that there is. Which ones there are is read after the records came: one
 * that is not there yet is begun later than they were committed, and its rebuild finds them.
 */
export async function countBatch(records: readonly DynamoDBRecord[], counting: BatchCounting): Promise<void> {
  const things = new Map<string, Thing>();
  for (const { dynamodb } of records) {
    const key = Object.entries(dynamodb?.Keys ?? {}).map(([name, { S = '' }]) => [name, S] as const);
    const thing = counting.source.thingOf(Object.fromEntries(key));
    if (thing) things.set(`${thing.userId} ${thing.id}`, thing);
  }
  if (things.size === 0) return;
  const { current, counting: next } = await readGenerations({
    table: counting.tables.OverviewFigures,
    key: generationsKey,
  });
  for (const generation of next === null ? [current] : [current, next]) {
    for (const thing of things.values()) await countThing(counting, generation, thing);
  }
}

/**
 * Counts a thing as its row says now. What was heard is only a reason to look, so that it can come twice, late and in any order: the
 * entry is read first, and then the row; a later change of the row brings a later look.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function countThing(
  { tables, of, source, options = { retries: 10 } }: Counting,
  generation: number,
  thing: Thing,
): Promise<void> {
  const { userId } = thing;
  const entry = entryOf(generation, source.name, thing);
  await retryOnContention(async () => {
    const before = await readCounted(tables.OverviewEntries, userId, entry);
    const row = await readRow(of, source.keyOf(thing));
    const to = row ? source.figuresOf(row) : [];
    if (to.join() === (before?.figures ?? []).join()) return true;
    return (await isMoved(tables, { userId, entry }, before, to)) || contended;
  }, options);
}
