import { randomBytes } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import { erasureStage } from '../erasure/stage.ts';
import { eventually } from '../eventually.ts';
import { asked, batches, entitlements, redeem, validate } from './people.ts';

/** What follows the business rules' clock, and what an erasure leaves of a redemption. */

const stand = erasureStage();
const day = 86_400_000;

async function codesOf(wish: object): Promise<{ batchId: string; codes: { accessCodeId: string; code: string }[] }> {
  const { status, body } = await (await stand.admin())('POST', batches, { ...asked, ...wish });
  expect(status).toBe(201);
  return body;
}

test('entitlements begin and end, and codes expire, with the time machine; a lock does not', async () => {
  const me = stand.as(await stand.tokenOf('patient', 'sleepcare'), 'sleepcare');
  const locked = stand.as(await stand.tokenOf('patient', 'sleepcare'), 'sleepcare');
  const admin = await stand.admin();
  const redeemBy = new Date(Date.now() + 12 * day).toISOString();
  const { batchId, codes } = await codesOf({ count: 3, grantsDays: 10, redeemBy });
  const [first, second, third] = codes.map(({ code }) => code);
  for (const code of [first, second]) expect((await me('POST', redeem, { code })).status).toBe(200);
  const statuses = async () =>
    (await me('GET', entitlements)).body.items.map(({ status }: { status: string }) => status);
  expect(await statuses()).toEqual(['scheduled', 'active']);
  expect((await me('POST', validate, { code: third })).body).toMatchObject({ valid: true });
  for (let tried = 0; tried < 10; tried += 1) await locked('POST', validate, { code: newCode(randomBytes(12)) });

  await stand.put('Clock', { clockId: 'service', offsetMs: 15 * day });
  await eventually(async () => expect(await statuses()).toEqual(['active', 'ended']));
  await eventually(async () => expect((await me('POST', redeem, { code: first })).body.status).toBe('ended'));
  expect((await me('POST', redeem, { code: third })).body.code).toBe('ACCESS_CODE_EXPIRED');
  await eventually(async () => expect((await me('POST', validate, { code: third })).body.reason).toBe('EXPIRED'));
  await eventually(async () => {
    const { counts } = (await admin('GET', `${batches}/${batchId}`)).body;
    expect(counts).toEqual({ issued: 0, redeemed: 2, expired: 1, revoked: 0 });
  });
  expect((await locked('POST', redeem, { code: third })).body.code).toBe('ACCESS_CODE_LOCKED');
  await stand.put('Clock', { clockId: 'service', offsetMs: 0 });
});

test('after an erasure a redeemed code leads to its batch, and to no person', async () => {
  const { userId, call } = await stand.person();
  await call('GET', '/users/me');
  const { batchId, codes } = await codesOf({ count: 1 });
  const [{ accessCodeId, code } = { accessCodeId: '', code: '' }] = codes;
  const { entitlementId } = (await call('POST', redeem, { code })).body;
  expect(await stand.rows('Entitlements', 'userId', userId)).toHaveLength(1);
  // Not even before: no row leads from the code to its user.
  const row = await stand.read('AccessCodes', { accessCodeId });
  expect(row).toEqual({ accessCodeId, batchId, part: 'g00', redeemedAt: expect.any(String), entitlementId });
  expect((await call('DELETE', '/users/me')).status).toBe(200);
  await stand.endAccess(userId);
  await stand.run('erase-accounts');
  for (const name of ['Entitlements', 'AccessCodeTries', 'AccessCodes', 'AccessCodeBatches', 'IssuedAccessCodes']) {
    const TableName = stand.stage().data.tables(name);
    const { Items = [] } = await stand.data().send(new ScanCommand({ TableName, ConsistentRead: true }));
    expect(JSON.stringify(Items), name).not.toContain(userId);
  }
  expect(await stand.read('AccessCodes', { accessCodeId })).toEqual(row);
  const admin = await stand.admin();
  expect((await admin('POST', '/access-codes/lookup', { code })).body).toEqual({
    accessCodeId,
    batchId,
    status: 'redeemed',
  });
  const other = stand.as(await stand.tokenOf('patient', 'sleepcare'), 'sleepcare');
  expect((await other('POST', redeem, { code })).body.code).toBe('ACCESS_CODE_REDEEMED');
});
