import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generationsKey } from '../../functions/statistics/rules/statistics-keys.ts';
import type { Counts } from '../../functions/statistics/rules/tally.ts';
import { beginGeneration, finishGeneration, readGenerations } from '../../functions/statistics/stores/generations.ts';
import { removeRow } from '../../lib/runtime/rows.ts';
import { runs } from '../runs.ts';
import { type Entry, inserted, openStand, released, written } from './stand.ts';

/**
 * Whatever the stream tells twice, late or in another order, and whenever a rebuild comes in between: the figures are those
 * of a straightforward count over the ledger.
 */

const stand = await openStand();

/** Chains by the rules: a revocation only of a consent. */
const chain = fc
  .array(
    fc.record({ version: fc.integer({ min: 1, max: 3 }), revokes: fc.boolean(), day: fc.integer({ min: 0, max: 2 }) }),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((steps) => {
    let standing: string | null = null;
    let at = Date.parse('2026-03-01T00:00:00.000Z');
    return steps.map(({ version, revokes, day }) => {
      at += day * 86_400_000 + 1;
      const action = revokes && standing !== null ? ('revoked' as const) : ('agreed' as const);
      const versionId: string = action === 'revoked' ? (standing ?? '') : `v${version}`;
      standing = action === 'revoked' ? null : versionId;
      return { action, versionId, recordedAt: new Date(at).toISOString() };
    });
  });

const plan = fc.record({
  chains: fc.array(chain, { minLength: 1, maxLength: 4 }),
  /** In which order the records come to be, and how they are told. */
  order: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
  batches: fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 25 }), doubled: fc.boolean(), reversed: fc.boolean() }),
    {
      minLength: 3,
      maxLength: 8,
    },
  ),
  lost: fc.boolean(),
  rebuildAt: fc.nat(6),
  letGo: fc.boolean(),
});

type Row = { date: string; versionId: string; counts: Counts };

/** By the definition of the figures: who agrees, who revoked, what happened, chain after chain. */
function truth(chains: readonly (readonly Entry[])[]): { days: Row[]; agreeing: Record<string, number> } {
  const days = new Map<string, Row>();
  const agreeing: Record<string, number> = {};
  const bump = (date: string, versionId: string, name: keyof Counts) => {
    const key = `${date} ${versionId}`;
    const row = days.get(key) ?? {
      date,
      versionId,
      counts: { agreements: 0, revocations: 0, returns: 0, replaced: 0 },
    };
    row.counts[name] += 1;
    days.set(key, row);
  };
  for (const entries of chains) {
    entries.forEach((entry, index) => {
      const date = entry.recordedAt.slice(0, 10);
      const before = entries[index - 1];
      bump(date, entry.versionId, entry.action === 'agreed' ? 'agreements' : 'revocations');
      if (entry.action === 'agreed' && before)
        bump(date, before.versionId, before.action === 'agreed' ? 'replaced' : 'returns');
    });
    const last = entries.at(-1);
    if (last?.action === 'agreed') agreeing[last.versionId] = (agreeing[last.versionId] ?? 0) + 1;
  }
  return { days: [...days.values()], agreeing };
}

const sorted = (rows: readonly Row[]) =>
  rows
    .filter(({ counts }) => Object.values(counts).some((count) => count !== 0))
    .map((row) => JSON.stringify([row.date, row.versionId, Object.entries(row.counts).toSorted()]))
    .toSorted();

test('the figures are those of a count over the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ chains, order, batches, lost, rebuildAt, letGo }) => {
      const agreementId = randomUUID();
      const entries = chains.map((steps) => {
        const userId = randomUUID();
        return steps.map((step, index): Entry => ({ userId, agreementId, sequence: index + 1, ...step }));
      });
      const waiting = entries.map((each) => [...each]);
      const left = () => waiting.filter((each) => each.length > 0);
      let rebuilding: Promise<unknown> = Promise.resolve();
      for (let turn = 0; left().length > 0; turn += 1) {
        const { size, doubled, reversed } = batches[turn % batches.length] as (typeof batches)[number];
        const batch: Entry[] = [];
        while (batch.length < size && left().length > 0) {
          const some = left();
          batch.push(some[(order[batch.length % 8] ?? 0) % some.length]?.shift() as Entry);
        }
        for (const entry of batch) await stand.write(entry);
        if (turn === rebuildAt) rebuilding = stand.rebuild();
        const told = (doubled ? [...batch, ...batch] : batch).map(inserted);
        // One that never comes is made good by the chain's next record.
        if (!(lost && left().length > 0 && turn === 0)) await stand.count(reversed ? told.reverse() : told);
        if (doubled) await Promise.all([stand.count(told), stand.count(told.toReversed())]);
      }
      await stand.count(entries.map((each) => inserted(each.at(-1) as Entry)));
      await rebuilding;
      const expected = truth(entries);
      const figures = await stand.figures(agreementId);
      expect(sorted(figures.days)).toEqual(sorted(expected.days));
      for (const [versionId, counts] of figures.totals) {
        expect(counts.agreements - counts.revocations - counts.replaced).toBe(expected.agreeing[versionId] ?? 0);
      }
      if (!letGo) return;
      const [gone = [], ...kept] = entries;
      for (const entry of gone) await stand.letGo(entry);
      // The whole chain at once, or record by record and twice; and perhaps while a rebuild walks.
      const events = gone.map(released);
      await Promise.all([rebuildAt % 2 === 0 ? stand.rebuild() : null, ...(lost ? [] : [stand.count(events)])]);
      await stand.count([...events, ...events]);
      expect(sorted((await stand.figures(agreementId)).days)).toEqual(sorted(truth(kept).days));
    }),
    { numRuns: runs(15), endOnFailure: true },
  );
});

/** Somebody's first consent, to an agreement of its own. */
const consent = (): Entry => ({
  userId: randomUUID(),
  agreementId: randomUUID(),
  sequence: 1,
  recordedAt: '2026-03-01T10:00:00.000Z',
  action: 'agreed',
  versionId: 'v1',
});

test('a rebuild corrects wrong figures, and deletes the previous generation', async () => {
  const one = consent();
  // No stream reported it, like everything before there were statistics.
  await stand.write(one);
  expect(written((await stand.figures(one.agreementId)).totals)).toEqual({});
  const { generation } = await stand.rebuild();
  expect(written((await stand.figures(one.agreementId)).totals)).toEqual({
    v1: { agreements: 1, revocations: 0, returns: 0, replaced: 0 },
  });
  const generations = (await stand.rows()).map(({ statisticsKey }) => String(statisticsKey).split('#')[0]);
  expect(new Set(generations)).toEqual(new Set([String(generation), 'generation']));
  await stand.count([inserted(one)]);
  expect((await stand.figures(one.agreementId)).totals.get('v1')?.agreements).toBe(1);
});

test.each([
  ['in the next generation', (current: number) => [current + 1, { current, counting: null }] as const],
  [
    'in that of an interrupted rebuild',
    (current: number) => [current + 7, { current, counting: current + 7 }] as const,
  ],
  ['where no row says which one is read', () => [2, {}] as const],
  ['where half a number says it', () => [2, { current: 0.5, counting: null }] as const],
])('a rebuild counts nothing that somebody planted %s', async (_case, planted) => {
  const one = consent();
  await stand.write(one);
  const { generation: current } = await stand.rebuild();
  const [generation, says] = planted(current);
  await stand.plant({ agreementId: one.agreementId, statisticsKey: `${generation}#total#v1`, agreements: 5000 });
  await stand.plant({ agreementId: '*', statisticsKey: 'generation', ...says });
  await stand.count([inserted(one)]);
  await stand.rebuild();
  expect((await stand.figures(one.agreementId)).totals.get('v1')?.agreements).toBe(1);
  expect((await stand.rows()).map(({ statisticsKey }) => statisticsKey)).not.toContain(`${generation}#total#v1`);
});

test('of two rebuilds the one that was begun last is read, and the other one says so', async () => {
  const row = { table: stand.statistics, key: generationsKey };
  const [one, other] = [await beginGeneration(row), await beginGeneration(row)];
  await expect(finishGeneration(row, one)).rejects.toThrow('another rebuild');
  await finishGeneration(row, other);
  expect(await readGenerations(row)).toEqual({ current: other, counting: null });
});

test('two rebuilds that are begun at once count into two generations, and the greater one is the one to be read', async () => {
  const row = { table: stand.statistics, key: generationsKey };
  for (let round = 0; round < 10; round += 1) {
    const begun = await Promise.all([beginGeneration(row), beginGeneration(row)]);
    expect((await readGenerations(row)).counting).toBe(Math.max(...begun));
  }
});

test.each<[string, object | null]>([
  ['of which there is no row', null],
  ['whose row counts as none', { current: 'x' }],
])('a rebuild %s takes nothing back that another one has finished meanwhile', async (_case, says) => {
  const row = { table: stand.statistics, key: generationsKey };
  await (says ? stand.plant({ ...generationsKey, ...says }) : removeRow(row.table, generationsKey));
  let other = 0;
  const { client } = row.table;
  // The other one begins and ends between this one's read and its write.
  const send = async (command: object) => {
    if (!(command instanceof GetCommand) && other === 0) {
      other = await beginGeneration(row);
      await finishGeneration(row, other);
    }
    return client.send(command as never);
  };
  const held = { ...row.table, client: { send } } as unknown as typeof row.table;
  const begun = await beginGeneration({ ...row, table: held });
  expect(begun).toBeGreaterThan(other);
  expect(await readGenerations(row)).toEqual({ current: other, counting: begun });
});

test('a released chain is not counted by a later rebuild, and its row is deleted later', async () => {
  const one = consent();
  await stand.write(one);
  await stand.count([inserted(one)]);
  await stand.letGo(one);
  await stand.count([released(one)]);
  expect(written((await stand.figures(one.agreementId)).totals)).toEqual({});
  const row = (await stand.rows()).find(({ statisticsKey }) => statisticsKey.endsWith(one.userId));
  expect(row?.expiresAt).toBeGreaterThan(4_000_000_000);
  await stand.rebuild();
  expect(written((await stand.figures(one.agreementId)).totals)).toEqual({});
  // What a replay of the stream tells of it later changes nothing.
  await stand.count([inserted({ ...one, sequence: 2 })]);
  expect(written((await stand.figures(one.agreementId)).totals)).toEqual({});
});

test('a rebuild that ends while figures are read is not seen in them', async () => {
  const one = consent();
  await stand.write(one);
  await stand.count([inserted(one)]);
  let rebuilds = 0;
  const atMost = (most: number) => async () => {
    if (rebuilds < most) await stand.rebuild();
    rebuilds += 1;
  };
  const figures = await stand.figuresWhile(one.agreementId, atMost(2));
  expect(written(figures.totals)).toEqual({ v1: { agreements: 1, revocations: 0, returns: 0, replaced: 0 } });
  expect(rebuilds).toBe(3);
  const never = stand.figuresWhile(one.agreementId, atMost(Number.POSITIVE_INFINITY));
  await expect(never).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(rebuilds).toBe(6);
});
