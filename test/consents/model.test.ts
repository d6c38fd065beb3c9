import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { runs } from '../runs.ts';
import { type Ledger, openLedger } from './ledger.ts';

/**
 * The specification's state machine against the real store: rounds of calls from several callers at once, in every
 * mixture and with a clock that jumps, must leave a history that some order of those calls explains.
 */

type Step = 'agree' | 'revoke';

const opened = await openLedger();
afterAll(() => opened.close());

const step = fc.constantFrom<Step>('agree', 'revoke');
const rounds = fc.array(
  fc.record({
    calls: fc.array(step, { minLength: 1, maxLength: 5 }),
    clock: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  }),
  { minLength: 1, maxLength: 6 },
);

test('every history alternates, follows its calls and never goes back in time', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      let now = Date.parse('2026-03-01T12:00:00.000Z');
      const ledger = opened.ledger(() => new Date(now));
      let records: Records = [];
      for (const { calls, clock } of plan) {
        now += clock;
        const before = records;
        const answers = await Promise.all(calls.map((call) => ledger[call]()));
        records = await ledger.records();
        assertExplained(calls, answers, before, records);
      }
      await assertChained(ledger, records);
      await assertAsOf(ledger, records);
    }),
    { numRuns: runs(60) },
  );
});

type Records = Awaited<ReturnType<Ledger['records']>>;

/** What one round of concurrent calls may have done to a history. */
function assertExplained(calls: Step[], answers: (string | null)[], before: Records, after: Records): void {
  expect(after.slice(0, before.length)).toEqual(before);
  const added = after.slice(before.length);
  const agreed = before.at(-1)?.action === 'agreed';
  const count = (wanted: Step) => calls.filter((call) => call === wanted).length;
  const actions = added.map((record) => record.action);
  // It alternates, and each record is one call's work.
  actions.forEach((action, index) => {
    const previous = index === 0 ? (agreed ? 'agreed' : 'revoked') : actions[index - 1];
    expect(action).not.toBe(previous);
  });
  expect(actions.filter((action) => action === 'agreed').length).toBeLessThanOrEqual(count('agree'));
  expect(actions.filter((action) => action === 'revoked').length).toBeLessThanOrEqual(count('revoke'));
  // Calls of only one kind end in its state, whatever was there before.
  if (count('agree') === 0) expect(after.at(-1)?.action ?? 'revoked').toBe('revoked');
  if (count('revoke') === 0) expect(after.at(-1)?.action).toBe('agreed');
  // Every answer is the time of a record of its kind; only a revocation of nothing has none.
  calls.forEach((call, index) => {
    const kind = call === 'agree' ? 'agreed' : 'revoked';
    const times = after.filter((record) => record.action === kind).map((record) => record.recordedAt);
    if (answers[index] === null) expect([call, before.length]).toEqual(['revoke', 0]);
    else expect(times).toContain(answers[index]);
  });
}

/** As of any time the last record that was not later: at each one's own time, and a millisecond before it. */
async function assertAsOf(ledger: Ledger, records: Records): Promise<void> {
  const some = records.filter((_, index) => index % Math.ceil(records.length / 4) === 0);
  for (const { recordedAt } of some) {
    for (const time of [Date.parse(recordedAt) - 1, Date.parse(recordedAt)]) {
      const at = new Date(time).toISOString();
      const expected = records.findLast((record) => record.recordedAt <= at);
      expect((await ledger.at(at))?.recordId).toBe(expected?.recordId);
    }
  }
  expect((await ledger.at('9999-12-31T23:59:59.999Z'))?.recordId).toBe(records.at(-1)?.recordId);
}

async function assertChained(ledger: Ledger, records: Records): Promise<void> {
  records.forEach((record, index) => {
    const previous = records[index - 1];
    expect(record.sequence).toBe(index + 1);
    expect(record.previousHash).toBe(previous?.hash ?? null);
    if (previous) expect(record.recordedAt > previous.recordedAt).toBe(true);
  });
  const state = await ledger.state();
  expect(state?.recordId ?? null).toBe(records.at(-1)?.recordId ?? null);
}
