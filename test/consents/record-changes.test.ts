import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { hashOf } from '../../functions/consents/rules/record.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import { runs } from '../runs.ts';
import { type Ledgers, openLedger } from './ledger.ts';

/** Consents to several agreements in one transaction, against each other and against single changes. */

let opened: Awaited<ReturnType<typeof openLedger>> | undefined;
afterEach(() => opened?.close());

const isWrite = ({ action }: Call) => action === 'TransactWriteItems';

/** Faults of writes, which are counted from 1. */
async function open(fault?: (write: number) => Fault | undefined) {
  let writes = 0;
  opened = await openLedger({
    intercept: (call) => {
      if (!isWrite(call)) return undefined;
      writes += 1;
      return fault?.(writes);
    },
  });
  return opened.ledgers(() => new Date());
}

const three = ['terms', 'privacy', 'marketing'];

async function counts(ledgers: Ledgers, ids: readonly string[]): Promise<number[]> {
  return Promise.all(ids.map(async (id) => (await ledgers.records(id)).length));
}

describe('races', () => {
  test('20 parallel calls get one time of each agreement and leave one record of each', async () => {
    const ledgers = await open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ledgers.agreeToAll(three)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await counts(ledgers, three)).toEqual([1, 1, 1]);
    expect(ledgers.written()).toBe(1);
  });

  test('20 agreements are one transaction, and repeating it writes nothing', async () => {
    let writes = 0;
    const ledgers = await open((write) => {
      writes = write;
      return undefined;
    });
    const many = Array.from({ length: 20 }, (_, index) => `agreement-${index}`);
    const first = await ledgers.agreeToAll(many);
    expect(await ledgers.agreeToAll(many)).toEqual(first);
    expect(await counts(ledgers, many)).toEqual(many.map(() => 1));
    expect(writes).toBe(1);
  });

  test('only what is not agreed to yet is recorded', async () => {
    const ledgers = await open();
    const privacy = await ledgers.agree('privacy');
    await ledgers.agree('marketing');
    await ledgers.revoke('marketing');
    const answer = await ledgers.agreeToAll(three);
    expect(answer.privacy).toBe(privacy);
    expect(await counts(ledgers, three)).toEqual([1, 1, 3]);
  });
});

type Step = { kind: 'agree' | 'revoke'; id: string } | { kind: 'all'; ids: string[] };

const id = fc.constantFrom(...three);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('agree' as const, 'revoke' as const), id }),
  fc.record({ kind: fc.constant('all' as const), ids: fc.shuffledSubarray(three, { minLength: 1 }) }),
);

test('of every mixture of calls each history alternates, and each call is in it whole', async () => {
  const ledger = await openLedger();
  opened = ledger;
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const ledgers = ledger.ledgers(() => new Date());
      for (const calls of plan) {
        const answers = await Promise.all(calls.map((call) => carryOut(ledgers, call)));
        for (const answer of answers) await assertAnswered(ledgers, answer);
      }
      await assertWhole(ledgers);
    }),
    { numRuns: runs(40) },
  );
});

async function carryOut(ledgers: Ledgers, call: Step): Promise<Record<string, string>> {
  if (call.kind === 'all') return ledgers.agreeToAll(call.ids);
  const at = await ledgers[call.kind](call.id);
  return call.kind === 'agree' ? { [call.id]: at ?? '' } : {};
}

/** Each time that was answered is that of a consent. */
async function assertAnswered(ledgers: Ledgers, answer: Record<string, string>): Promise<void> {
  for (const [agreementId, at] of Object.entries(answer)) {
    const consents = (await ledgers.records(agreementId)).filter(({ action }) => action === 'agreed');
    expect(consents.map(({ recordedAt }) => recordedAt)).toContain(at);
  }
}

async function assertWhole(ledgers: Ledgers): Promise<void> {
  const histories = await Promise.all(three.map((agreementId) => ledgers.records(agreementId)));
  for (const [index, records] of histories.entries()) {
    records.forEach(({ action, sequence, previousHash }, at) => {
      expect([action, sequence]).toEqual([at % 2 === 0 ? 'agreed' : 'revoked', at + 1]);
      expect(previousHash).toBe(records[at - 1]?.hash ?? null);
    });
    expect((await ledgers.state(three[index] ?? ''))?.recordId).toBe(records.at(-1)?.recordId);
  }
  for (const { userAgreement: _key, ...record } of histories.flat() as { userAgreement?: string; hash: string }[]) {
    expect(hashOf(record)).toBe(record.hash);
  }
}

describe('faults', () => {
  test.each([1, 3])('an answer lost after the commit, %s times, is a success once', async (losses) => {
    const ledgers = await open((write) => (write <= losses ? 'lose-response' : undefined));
    const answer = await ledgers.agreeToAll(three);
    for (const agreementId of three) {
      expect((await ledgers.records(agreementId)).map(({ recordedAt }) => recordedAt)).toEqual([answer[agreementId]]);
    }
  });

  test('after three conflicts the decision is made again until it succeeds', async () => {
    const ledgers = await open((write) => (write <= 3 ? 'conflict' : undefined));
    await ledgers.agreeToAll(three);
    expect(await counts(ledgers, three)).toEqual([1, 1, 1]);
  });

  test('contention that outlasts the retries is UNAVAILABLE, with nothing written', async () => {
    const ledgers = await open(() => 'conflict');
    await expect(ledgers.agreeToAll(three)).rejects.toEqual(new Failure(Unavailable));
    expect(await counts(ledgers, three)).toEqual([0, 0, 0]);
  });
});
