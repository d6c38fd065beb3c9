import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import { hashOf } from '../../functions/access-codes/stores/code-keys.ts';
import { readIssued } from '../../functions/access-codes/stores/issued-codes.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { dayMs, type OpenCodes, openCodes } from './open-codes.ts';

/** A batch is written in parts: whatever breaks off in between, no code is lost and none is there twice. */

let opened: OpenCodes | undefined;
afterEach(() => opened?.close());

/** @param fault of a transaction by its number, from 1: that of the batch itself is the first */
async function open(
  fault: (write: number, call: Call) => Fault | undefined | Promise<Fault | undefined> = () => undefined,
) {
  let writes = 0;
  opened = await openCodes({
    intercept: (call) => {
      if (call.action !== 'TransactWriteItems') return undefined;
      writes += 1;
      return fault(writes, call);
    },
  });
  return opened;
}

/** What is there is what was answered: each code once, in one group, whose numbers are right. */
async function expectWhole(codes: OpenCodes, batchId: string, answered: readonly string[]) {
  const ids = answered.map((code) => hashOf(['test'], code));
  expect(new Set(ids).size).toBe(answered.length);
  const rows = (await codes.rows('AccessCodes')).filter((row) => row.batchId === batchId);
  expect(rows.map(({ accessCodeId }) => accessCodeId).toSorted()).toEqual(ids.toSorted());
  for (const { part, codes: size } of await codes.groups(batchId)) {
    expect(rows.filter((row) => row.part === part)).toHaveLength(size);
  }
}

test('a batch of three parts, with the same answer for every repetition', async () => {
  const codes = await open();
  const batch = await codes.begun(200);
  const first = (await codes.issue(batch)) ?? [];
  await expectWhole(codes, batch.batchId, first);
  expect(await codes.issue(batch)).toEqual(first);
  const [chunk] = (await codes.rows('IssuedAccessCodes')).map(({ sealed }) => sealed);
  expect(chunk).not.toContain(first[0]);
});

test('an interrupted issue continues with the next part', async () => {
  let isOut = true;
  const codes = await open((write) => (isOut && write > 2 ? 'error' : undefined));
  const batch = await codes.begun(200);
  await expect(codes.issue(batch)).rejects.toThrow();
  expect(await codes.rows('AccessCodes')).toHaveLength(80);
  const [before] = await codes.rows('IssuedAccessCodes');
  isOut = false;
  const all = (await codes.issue(batch)) ?? [];
  await expectWhole(codes, batch.batchId, all);
  expect(await codes.rows('IssuedAccessCodes')).toContainEqual(before);
});

test.each([1, 3])('an answer that is lost %d times is not a lost part', async (times) => {
  let lost = 0;
  const codes = await open((write) => {
    if (write < 3 || lost >= times) return undefined;
    lost += 1;
    return 'lose-response';
  });
  const batch = await codes.begun(200);
  await expectWhole(codes, batch.batchId, (await codes.issue(batch)) ?? []);
  expect(lost).toBe(times);
});

test('three requests that continue one batch at once give the same codes', async () => {
  const codes = await open();
  const batch = await codes.begun(240);
  const answers = await Promise.all([1, 2, 3].map(() => codes.issue(batch)));
  expect(new Set(answers.map((answer) => answer?.join())).size).toBe(1);
  await expectWhole(codes, batch.batchId, answers[0] ?? []);
});

test('a code that is there already is not issued again: its part gets others', async () => {
  const codes = await open();
  const [taken = ''] = await codes.issued(1);
  const batch = await codes.begun(5);
  let asked = 0;
  const answered = await codes.issue(batch, (size) => {
    asked += 1;
    const fresh = Array.from({ length: size }, () => newCode(randomBytes(12)));
    return asked === 1 ? fresh.with(2, taken) : fresh;
  });
  expect([asked, answered?.includes(taken)]).toEqual([2, false]);
  await expectWhole(codes, batch.batchId, answered ?? []);
});

test('after a day nobody can request the codes, even while their rows still exist', async () => {
  const codes = await open();
  const batch = await codes.begun(3);
  const realNow = new Date();
  await codes.issue(batch, undefined, realNow);
  const keptAt = async (ms: number) => {
    const { tables, secret } = codes.place;
    const wanted = { batchId: batch.batchId, realNow: new Date(realNow.getTime() + ms) };
    return (await readIssued(tables.IssuedAccessCodes, secret, wanted)).size;
  };
  expect([await keptAt(0), await keptAt(dayMs - 2000), await keptAt(dayMs)]).toEqual([1, 1, 0]);
});

describe('a batch that is revoked while it is issued', () => {
  test('gets no more codes, and none of its codes is valid', async () => {
    let revoking: Promise<unknown> | undefined;
    const codes = await open(async (write) => {
      // Before the second part is committed, the batch is revoked.
      if (write !== 3) return undefined;
      revoking ??= codes.revokeBatch(batch.batchId);
      await revoking;
      return undefined;
    });
    const batch = await codes.begun(200);
    expect(await codes.issue(batch)).toBeNull();
    expect(await codes.rows('AccessCodes')).toHaveLength(80);
    const groups = await codes.groups(batch.batchId);
    expect(groups).toHaveLength(5);
    for (const { revokedAt } of groups) expect(revokedAt).toEqual(expect.any(String));
  });
});
