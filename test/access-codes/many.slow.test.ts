import { randomBytes, randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import { hashOf } from '../../functions/access-codes/stores/code-keys.ts';
import { tables } from '../../functions/domains.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { erasureStage } from '../erasure/stage.ts';
import { hangMs } from '../hang.ts';
import { type OpenCodes, openCodes } from './open-codes.ts';
import { asked, batches, entitlements, redeem, validate } from './people.ts';

/** Codes by the thousand, over HTTP and in the tables. */

const stand = erasureStage();
type Issued = { batchId: string; codes: { accessCodeId: string; code: string }[] };

async function allRows(): Promise<string> {
  const texts: string[] = [];
  for (const { name } of tables) {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const scan = new ScanCommand({
        TableName: stand.stage().data.tables(name),
        ConsistentRead: true,
        ExclusiveStartKey,
      });
      const page = await stand.data().send(scan);
      texts.push(JSON.stringify(page.Items));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  return texts.join('\n');
}

/** On a busy machine a call may run into its time limit; the same call goes on where that one was. */
async function answered<Answer extends { readonly status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (const until = Date.now() + hangMs; answer.status >= 500 && Date.now() < until; ) answer = await ask();
  return answer;
}

const patient = async () => stand.as(await stand.tokenOf('patient', 'sleepcare'), 'sleepcare');

test('10,000 codes in ten calls: none twice, none readable, and each lost answer can be requested again with its key', async () => {
  const token = await stand.tokenOf('admin', 'medinfo');
  const origin = `${stand.stage().url}/v2`;
  const issue = async (key: string): Promise<Issued> => {
    const ask = () =>
      fetch(`${origin}${batches}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify({ ...asked, count: 1000 }),
      });
    const answer = await answered(ask);
    expect(answer.status).toBe(201);
    return (await answer.json()) as Issued;
  };
  const keys = Array.from({ length: 10 }, () => randomUUID());
  const made = await mapWithConcurrency(keys, 3, issue);
  const codes = made.flatMap((batch) => batch.codes);
  expect(new Set(codes.map(({ code }) => code)).size).toBe(10_000);
  expect(new Set(codes.map(({ accessCodeId }) => accessCodeId)).size).toBe(10_000);

  const stored = await allRows();
  for (const { accessCodeId } of codes) expect(stored.includes(accessCodeId)).toBe(true);
  expect(codes.filter(({ code }) => stored.includes(code))).toEqual([]);
  // Nor as Base64, of which a reader would only have to take the wrapping off; nor under a hash without the key.
  const asBytes = ({ code }: { code: string }) => Buffer.from(code).toString('base64').slice(0, 20);
  expect(codes.filter((each) => stored.includes(asBytes(each)))).toEqual([]);

  expect(await mapWithConcurrency(keys, 3, issue)).toEqual(made);
});

test('100 redemptions of one code by 50 users at once: one entitlement', async () => {
  const admin = await stand.admin();
  const { batchId, codes } = (await admin('POST', batches, { ...asked, count: 1 })).body as Issued;
  const people = await Promise.all(Array.from({ length: 50 }, patient));
  const sent = [...people, ...people].map((call) => answered(() => call('POST', redeem, { code: codes[0]?.code })));
  const answers = await Promise.all(sent);
  const done = answers.filter(({ status }) => status === 200);
  expect(done).toHaveLength(2);
  expect(done[0]?.body).toEqual(done[1]?.body);
  const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
  expect(new Set(others)).toEqual(new Set(['ACCESS_CODE_REDEEMED']));
  const lists = await Promise.all(people.map((call) => answered(() => call('GET', entitlements))));
  expect(lists.flatMap(({ body }) => body.items)).toHaveLength(1);
  expect((await admin('GET', `${batches}/${batchId}`)).body.counts).toMatchObject({ redeemed: 1, issued: 0 });
});

test('100 tries of one user at once, some with existing codes: ten wrong ones get an answer, in any order', async () => {
  const admin = await stand.admin();
  const { codes } = (await admin('POST', batches, { ...asked, count: 10 })).body as Issued;
  for (let round = 0; round < 3; round += 1) {
    const me = await patient();
    const tried = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 9 ? (codes[(index - 9) / 10]?.code ?? '') : newCode(randomBytes(12)),
    );
    const answers = await Promise.all(tried.map((code) => me('POST', validate, { code })));
    expect(answers.filter(({ body }) => body.reason === 'UNKNOWN')).toHaveLength(10);
    const rest = answers.filter(({ body }) => body.reason !== 'UNKNOWN' && body.valid !== true);
    expect(new Set(rest.map(({ body }) => body.code))).toEqual(new Set(['ACCESS_CODE_LOCKED']));
  }
});

describe('1,000 redemptions of one batch', () => {
  let opened: OpenCodes;
  beforeAll(async () => {
    opened = await openCodes();
  });
  afterAll(() => opened.close());

  test('by 1,000 users at once: each has an entitlement, and each is counted', async () => {
    const batch = await opened.begun(1000);
    const codes = (await opened.issue(batch)) ?? [];
    const answers = await mapWithConcurrency(codes, 250, (code) => opened.redeem(code));
    expect(answers.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
    const groups = await opened.groups(batch.batchId);
    expect(groups.reduce((sum, { redeemed }) => sum + redeemed, 0)).toBe(1000);
    expect(await opened.rows('Entitlements')).toHaveLength(1000);

    // One request ends all of them.
    const ended = await opened.revokeBatch(batch.batchId, true);
    const at = ended?.batch.entitlementsEndedAt;
    const rows = await opened.rows('Entitlements');
    expect(rows.filter(({ endedAt }) => endedAt !== at)).toEqual([]);
    expect(ended?.groups.filter(({ entitlementsEndedAt }) => entitlementsEndedAt !== at)).toEqual([]);
  });

  test('while it is revoked: redeemed codes are counted, and none is redeemed after it', async () => {
    const batch = await opened.begun(400);
    const codes = (await opened.issue(batch)) ?? [];
    let started = 0;
    let isRevoked = false;
    const answers = await mapWithConcurrency(codes, 100, async (code) => {
      started += 1;
      if (started === 200) {
        await opened.revokeBatch(batch.batchId, true);
        isRevoked = true;
      }
      const isAfter = isRevoked;
      const answer = await opened.redeem(code);
      if (isAfter) expect(answer.outcome).not.toBe('done');
      return answer;
    });
    const redeemed = answers.filter(({ outcome }) => outcome === 'done').length;
    expect(redeemed).toBeLessThan(400);
    const groups = await opened.groups(batch.batchId);
    expect(groups.reduce((sum, group) => sum + group.redeemed, 0)).toBe(redeemed);
    for (const group of groups)
      expect(group).toMatchObject({ revokedAt: expect.any(String), entitlementsEndedAt: expect.any(String) });
    const rows = await opened.rows('AccessCodes');
    const ids = new Set(codes.map((code) => hashOf(['test'], code)));
    const used = rows.filter((row) => ids.has(String(row.accessCodeId)) && row.redeemedAt !== undefined);
    expect(used).toHaveLength(redeemed);
    const held = (await opened.rows('Entitlements')).filter(({ batchId }) => batchId === batch.batchId);
    expect(held).toHaveLength(redeemed);
    expect(held.filter(({ endedAt }) => endedAt === undefined)).toEqual([]);
  });
});
