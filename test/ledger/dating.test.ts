import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { nextRecord, stateOf } from '../../functions/consents/rules/record.ts';
import { importedKey, manifestKey, manifestType } from '../../functions/ledger/rules/checkpoint.ts';
import { leafText } from '../../functions/ledger/rules/leaf.ts';
import { merkleRoot } from '../../functions/ledger/rules/merkle.ts';
import { packLeaves } from '../../functions/ledger/stores/evidence.ts';
import { historyOf } from './histories.ts';
import { openStand, type Stand } from './stand.ts';

/** Who can append dates what is appended: chains into the past, behind checkpoints that did not have them. */

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

/** The stand's checkpoints are of 01:00, 02:00, …. */
const day = (time: string) => Date.parse(`2026-11-01T${time}Z`);
const years = (number: number) => day('00:00:00') - number * 366 * 86_400_000;
const verify = () => stand.verify({ movedClock: false });
const dated = (from: number, length = 1) => historyOf(length, null, 'marketing', { from });
const imported = () => historyOf(3, null, 'marketing', { from: years(6), source: 'imported' });
const keyOf = ({ userId, agreementId }: ConsentRecord) => `${userId}#${agreementId}`;

test('a chain of two years ago that comes after a checkpoint is found at once, and when checkpoints have it', async () => {
  await stand.load([dated(years(3), 4)]);
  await stand.checkpoint();
  expect((await verify()).found).toEqual([]);
  const planted = dated(years(2), 2);
  await stand.load([planted]);
  const [{ userId = '' } = {}] = planted;
  const found = [
    { kind: 'record-backdated', userId, sequence: 1 },
    { kind: 'record-backdated', userId, sequence: 2 },
  ];
  expect((await verify()).found).toMatchObject(found);
  await stand.checkpoint();
  expect((await verify()).found).toMatchObject(found);
  await stand.checkpoint();
  expect((await verify()).found).toMatchObject(found);
  expect((await stand.verify({ movedClock: true })).found).toEqual([]);
});

test('only the records that are new in a chain are', async () => {
  const chain = dated(years(3), 4);
  await stand.load([chain.slice(0, 2)]);
  await stand.checkpoint();
  await stand.load([chain]);
  expect((await verify()).found).toMatchObject([{ sequence: 3 }, { sequence: 4 }]);
});

test('what users do between two checkpoints is not, within the skew that is granted', async () => {
  await stand.load([dated(years(1))]);
  await stand.checkpoint();
  await stand.load([dated(day('00:55:00')), dated(day('01:30:00'), 3)]);
  expect((await verify()).found).toEqual([]);
  await stand.checkpoint();
  await stand.load([dated(day('01:54:59'))]);
  expect((await verify()).kinds).toEqual(['record-backdated']);
});

test('what a checkpoint left for the next one is measured by the one that looked', async () => {
  await stand.load([dated(years(1))]);
  await stand.checkpoint();
  await stand.load(Array.from({ length: 12 }, () => dated(day('01:30:00'), 2)));
  let { deferred } = await stand.checkpoint({ mostChanges: 5 });
  expect(deferred).toBeGreaterThan(0);
  while (deferred > 0) ({ deferred } = await stand.checkpoint({ mostChanges: 5 }));
  expect((await verify()).found).toEqual([]);
});

test('a record of the future is found at once, and later than the checkpoint that has it for good', async () => {
  await stand.load([dated(years(1))]);
  await stand.checkpoint();
  const now = () => new Date(day('01:30:00'));
  const checked = () => stand.verify({ movedClock: false, now });
  // Within the skew, and while a checkpoint is being made.
  await stand.load([dated(day('01:34:59'))]);
  expect((await checked()).found).toEqual([]);
  const planted = dated(years(-2));
  await stand.load([planted]);
  const found = [{ kind: 'record-postdated', userId: planted[0]?.userId, sequence: 1 }];
  expect((await checked()).found).toMatchObject(found);
  await stand.checkpoint();
  await stand.checkpoint();
  // Also when its date has come.
  const later = () => new Date(years(-3));
  expect((await stand.verify({ movedClock: false, now: later })).found).toMatchObject(found);
});

describe('an import', () => {
  beforeEach(async () => {
    await stand.load([dated(years(8))]);
    await stand.checkpoint();
  });

  test('is found without a manifest, and not with one', async () => {
    const [one, other] = [imported(), imported()];
    await stand.load([one, other]);
    expect((await verify()).kinds).toEqual(['import-unsigned']);
    expect(await stand.signImport([...one, ...other], { mostLeaves: 4 })).toBe(6);
    const { found, imports } = await verify();
    expect({ found, imports }).toMatchObject({ found: [], imports: [{ by: 'operator' }, { by: 'operator' }] });
    await stand.checkpoint();
    expect((await verify()).found).toEqual([]);
  });

  test('does not vouch for other records of the same chain, nor for a user’s own', async () => {
    const chain = imported();
    const own = dated(years(2), 2);
    await stand.load([chain, own]);
    await stand.signImport([...chain.slice(0, 2), ...own]);
    const { found } = await verify();
    expect(found.map(({ kind, sequence }) => [kind, sequence]).toSorted()).toEqual([
      ['import-unsigned', 3],
      ['record-backdated', 1],
      ['record-backdated', 2],
    ]);
  });

  test('is signed only by the key of imports, for this environment, and completely', async () => {
    const chain = imported();
    await stand.load([chain]);
    const leaves = chain.map((record) => leafText({ ...record, userAgreement: keyOf(record) }));
    const root = merkleRoot(leaves);
    const statement = { environment: 'dev', root, count: 3, by: 'x', at: '2026-11-01T00:00:00.000Z' };
    await stand.putEvidence(importedKey(root), packLeaves(leaves).toString('latin1'));
    await stand.putEvidence(manifestKey(root), await stand.sign(statement, manifestType, stand.ledgerKey));
    expect((await verify()).kinds).toEqual(['import-invalid', 'import-unsigned']);
    await stand.signImport(chain.slice(0, 2), { environment: 'prod' });
    expect((await verify()).kinds).toEqual(['import-invalid', 'import-unsigned']);
  });
});

describe('a revocation whose pointer somebody overwrote', () => {
  /** Agreed before the first checkpoint, revoked after it, and then the pointer shows the consent again. */
  async function hidden(revokedAt: number, foundAt: number | null): Promise<readonly ConsentRecord[]> {
    const [agreed] = dated(day('00:30:00')) as [ConsentRecord];
    await stand.load([[agreed]]);
    await stand.checkpoint();
    const chain = [agreed, following(agreed, 'revoked', revokedAt)];
    await stand.load([chain]);
    await stand.putPointer(stateOf(agreed));
    if (foundAt !== null) await found(chain[1], foundAt);
    await stand.checkpoint();
    return chain;
  }

  const following = (previous: ConsentRecord, action: 'agreed' | 'revoked', at: number) =>
    nextRecord(
      previous,
      { ...previous, action },
      { ...previous, now: new Date(at), recordId: `${previous.recordId}-${at}` },
    );
  /** As `watch-consent-states` stores it. */
  const found = (before: ConsentRecord | undefined, at: number) =>
    stand.putEvidence(
      `pointer-changes/${at}.json`,
      JSON.stringify({ changes: [{ before: before && stateOf(before) }] }),
      at,
    );

  test('is not backdated, neither while it is hidden nor when the next checkpoint has it', async () => {
    const chain = await hidden(day('01:20:00'), day('01:21:00'));
    expect((await verify()).kinds).toEqual(['pointer-lags']);
    await stand.load([chain]);
    expect((await verify()).found).toEqual([]);
    await stand.checkpoint();
    expect((await verify()).found).toEqual([]);
  });

  test('nor are the records before it that no checkpoint saw either', async () => {
    const chain = await hidden(day('01:20:00'), null);
    const later = following(chain[1] as ConsentRecord, 'agreed', day('01:22:00'));
    await stand.load([[...chain, later]]);
    await found(later, day('01:23:00'));
    expect((await verify()).found).toEqual([]);
  });

  test('justifies no date before the checkpoint that came before the evidence, whatever the evidence says', async () => {
    for (const revokedAt of [day('00:54:59'), years(2)]) {
      const chain = await hidden(revokedAt, day('01:21:00'));
      await stand.load([chain]);
      expect((await verify()).found).toMatchObject([{ kind: 'record-backdated', sequence: 2 }]);
      await stand.close();
      stand = await openStand();
    }
  });

  test('evidence of another record, or that comes after the checkpoint, justifies nothing', async () => {
    const chain = await hidden(day('01:20:00'), day('02:06:00'));
    await stand.load([chain]);
    await found(following(chain[0] as ConsentRecord, 'revoked', day('01:19:00')), day('01:20:30'));
    await stand.putEvidence('pointer-changes/x.json', 'nonsense', day('01:21:00'));
    expect((await verify()).found).toMatchObject([{ kind: 'record-backdated', sequence: 2 }]);
  });
});

test('a checkpoint that signed a forged pointer says nothing about when a genuine record of that number came', async () => {
  const [agreed] = dated(day('00:30:00')) as [ConsentRecord];
  await stand.load([[agreed]]);
  await stand.checkpoint();
  const at = { ...agreed, recordId: 'r' };
  await stand.putPointer(stateOf(nextRecord(agreed, { ...agreed }, { ...at, now: new Date(day('01:10:00')) })));
  await stand.checkpoint();
  const revoked = nextRecord(agreed, { ...agreed, action: 'revoked' }, { ...at, now: new Date(day('02:30:00')) });
  await stand.load([[agreed, revoked]]);
  const now = () => new Date(day('02:40:00'));
  expect((await stand.verify({ movedClock: false, now })).kinds).toEqual(['anchored-record-differs']);
  await stand.checkpoint();
  expect((await verify()).kinds).toEqual(['anchored-record-differs']);
});
