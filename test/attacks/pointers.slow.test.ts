import { randomUUID } from 'node:crypto';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { staffPart, staffProfile } from '../../functions/access/data-subject.ts';
import { hashOf, stateOf } from '../../functions/consents/rules/record.ts';
import { appendRecords } from '../../functions/consents/stores/consent-rows.ts';
import { dataSharing } from '../../functions/product.ts';
import { hashOfUser } from '../../lib/runtime/log.ts';
import { eventually } from '../eventually.ts';
import { historyOf } from '../ledger/histories.ts';
import { handlesNamed } from '../tables.ts';
import { attackedStage } from './attacked-stage.ts';

/** The gate to patients' data, attacked with exactly the rights of a function that writes consents. */

const attacked = attackedStage();
const site = randomUUID();
const agreeing = `/agreements/versions/${dataSharing}-1.0/agree`;
const minuteMs = 60_000;

type Caller = Awaited<ReturnType<typeof attacked.caller>>;
const put = (table: string, Item: object) => {
  const TransactItems = [{ Put: { TableName: attacked.table(table), Item } }];
  return attacked.owner().dynamo.send(new TransactWriteCommand({ TransactItems }));
};

async function physician(): Promise<Caller> {
  const userId = randomUUID();
  await put('Staff', { userId, part: staffProfile, name: 'Dr. Ada Weiss' });
  await put('Staff', { userId, part: staffPart(site), since: '2026-01-01T00:00:00.000Z' });
  return attacked.caller(userId, 'physician', 'medinfo');
}

async function patientAtSite() {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  await atSite(userId, call);
  return { userId, call };
}

async function atSite(userId: string, call: Caller) {
  await call('GET', '/users/me');
  const since = '2026-01-01T00:00:00.000Z';
  await put('CareRelations', { userId, siteId: site, since });
  await put('SitePatients', { siteId: site, userId, since });
}

async function lineOf(doctor: Caller, userId: string) {
  const { body } = await doctor('GET', '/crm/patients?limit=100');
  return body.items.find((one: { userId: string }) => one.userId === userId);
}

const shown = (line: Record<string, unknown>) =>
  Object.entries(line).filter(([name, value]) => !['userId', 'siteId', 'since'].includes(name) && value !== null);

/** As the role of `agree` may: one row in a transaction, without a condition. */
const forge = (Item: object, operation = 'agree') =>
  attacked
    .as(operation)
    .dynamo.send(
      new TransactWriteCommand({ TransactItems: [{ Put: { TableName: attacked.table('ConsentStates'), Item } }] }),
    );

const pointerOf = async (userId: string) =>
  (
    await attacked.owner().dynamo.send(
      new GetCommand({
        TableName: attacked.table('ConsentStates'),
        Key: { userId, agreementId: dataSharing },
        ConsistentRead: true,
      }),
    )
  ).Item;

/** Within a minute people are told, and the bucket of evidence has the row. @returns the change as it was stored */
async function discovered(userId: string, suspicion: string, since: number) {
  const line = await eventually(() => {
    const found = attacked.log.find((one) => one.includes(suspicion) && one.includes(hashOfUser(userId))) ?? '';
    return JSON.parse(found.slice(found.indexOf('{')));
  });
  expect(line).toMatchObject({ suspicion, consentPointersTamperedWith: 1, application: 'sleepcare' });
  await eventually(() => expect(attacked.told.join()).toContain(`${suspicion}: user ${hashOfUser(userId)}`));
  expect(Date.now() - since).toBeLessThan(minuteMs);
  const { Body } = await attacked
    .owner()
    .s3.send(new GetObjectCommand({ Bucket: attacked.bucket(), Key: String(line.object) }));
  const { changes } = JSON.parse((await Body?.transformToString()) ?? '{}');
  return { change: changes.find((one: { suspicion: string }) => one.suspicion === suspicion) };
}

test.each(['agree', 'agree-to-versions', 'revoke-consent'])(
  'with the role of %s a pointer opens no page after a revocation, and is found within a minute',
  async (operation) => {
    const doctor = await physician();
    const { userId, call } = await patientAtSite();
    expect((await call('POST', agreeing)).status).toBe(200);
    const agreed = await pointerOf(userId);
    expect((await doctor('GET', `/crm/patients/${userId}`)).status).toBe(200);
    expect((await call('DELETE', `/users/agreements/${dataSharing}/consent`)).status).toBe(200);
    const revoked = await pointerOf(userId);
    expect((await doctor('GET', `/crm/patients/${userId}`)).body.code).toBe('CONSENT_REQUIRED');
    attacked.log.length = 0;
    attacked.told.length = 0;
    const began = Date.now();
    await forge({ ...agreed }, operation);
    expect(await doctor('GET', `/crm/patients/${userId}`)).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE' },
    });
    expect(attacked.log.filter((one) => one.includes('"consentsInDoubt":1'))).toHaveLength(1);
    expect(shown(await lineOf(doctor, userId))).toEqual([]);
    const { change } = await discovered(userId, 'out-of-order', began);
    expect(change).toMatchObject({ before: revoked, after: agreed });
    // A pointer with the next number instead.
    await forge({ ...agreed, sequence: 3, recordedAt: new Date().toISOString() }, operation);
    expect((await doctor('GET', `/crm/patients/${userId}`)).status).toBe(503);
    await discovered(userId, 'no-record', Date.now());
    // What the patient decides counts at once.
    expect((await call('DELETE', `/users/agreements/${dataSharing}/consent`)).status).toBe(200);
    expect((await doctor('GET', `/crm/patients/${userId}`)).body.code).toBe('CONSENT_REQUIRED');
  },
);

test('nor the page of a patient who never consented', async () => {
  const doctor = await physician();
  const { userId, call } = await patientAtSite();
  const [record] = historyOf(1, userId, dataSharing, { from: Date.now() }) as [ConsentRecord];
  const began = Date.now();
  await forge(stateOf(record));
  expect((await doctor('GET', `/crm/patients/${userId}`)).status).toBe(503);
  expect(shown(await lineOf(doctor, userId))).toEqual([]);
  const mayRead = (about: string) => doctor('POST', '/iam/check', { permission: 'patients:read', about });
  expect((await mayRead(userId)).status).toBe(503);
  expect((await mayRead(randomUUID())).body.because).toBe('NO_RELATION');
  const { change } = await discovered(userId, 'no-record', began);
  expect(change).toMatchObject({ before: null, after: stateOf(record), record: null });
  expect((await call('GET', '/users/me/access-log')).body.items).toMatchObject([{ consent: null }]);
});

test('a whole forged consent opens the page, and its patient is told', async () => {
  const doctor = await physician();
  const { userId, email, call } = await attacked.account();
  await atSite(userId, call);
  const [record] = historyOf(1, userId, dataSharing, { from: Date.now() }) as [ConsentRecord];
  const tables = handlesNamed(attacked.as('agree').dynamo, ['ConsentRecords', 'ConsentStates'], attacked.table);
  const began = Date.now();
  expect(await appendRecords(tables, [record], randomUUID(), new Map())).toBe(true);
  // What remains: it is what the function itself writes for its user.
  expect((await doctor('GET', `/crm/patients/${userId}`)).status).toBe(200);
  await eventually(async () =>
    expect(await attacked.mailsTo(email)).toContainEqual(
      expect.objectContaining({ subject: 'You share your data with your clinic' }),
    ),
  );
  expect(Date.now() - began).toBeLessThan(minuteMs);
});

const written = (...items: [string, object][]) => {
  const TransactItems = items.map(([table, Item]) => ({ Put: { TableName: attacked.table(table), Item } }));
  return attacked.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems }));
};
const revoking = `/users/agreements/${dataSharing}/consent`;

test.each(['~', '9'.repeat(41), 'Z', '9999-12-31T23:59:59.999Z', '5'])(
  'a whole forged consent of the time %s opens no page, and its patient can revoke it',
  async (recordedAt) => {
    const [doctor, { userId, call }] = [await physician(), await patientAtSite()];
    const [honest] = historyOf(1, userId, dataSharing, { from: Date.now() });
    const { hash: _hash, ...unsealed } = { ...honest, recordedAt };
    const record = { ...unsealed, hash: hashOf(unsealed) };
    await written(
      ['ConsentRecords', { userAgreement: `${userId}#${dataSharing}`, ...record }],
      ['ConsentStates', stateOf(record as unknown as ConsentRecord)],
    );
    expect((await doctor('GET', `/crm/patients/${userId}`)).status).not.toBe(200);
    expect((await doctor('GET', '/crm/patients?limit=100')).status).toBe(200);
    expect((await call('GET', '/users/agreements')).status).toBe(200);
    expect((await call('DELETE', revoking)).body).toMatchObject({ agreed: false });
    expect((await call('GET', `/users/agreements/${dataSharing}/history`)).status).toBe(200);
    expect((await doctor('GET', `/crm/patients/${userId}`)).body.code).toBe('CONSENT_REQUIRED');
    expect((await call('POST', agreeing)).status).toBe(200);
    expect((await doctor('GET', `/crm/patients/${userId}`)).status).toBe(200);
  },
);

test('a pointer that says revoked swallows no revocation', async () => {
  const [doctor, { userId, call }] = [await physician(), await patientAtSite()];
  expect((await call('POST', agreeing)).status).toBe(200);
  const agreed = await pointerOf(userId);
  await forge({ ...agreed, action: 'revoked' });
  expect((await call('DELETE', revoking)).body).toMatchObject({ agreed: false });
  await forge({ ...agreed });
  expect((await doctor('GET', `/crm/patients/${userId}`)).status).not.toBe(200);
  const { items } = (await call('GET', `/users/agreements/${dataSharing}/history`)).body;
  expect(items.map(({ action }: { action: string }) => action)).toEqual(['revoked', 'agreed']);
});

test.each<[string, object]>([
  ['revoked, of the sequence 0', { action: 'revoked', sequence: 0 }],
  ['agreed, of the sequence 0', { sequence: 0 }],
  ['agreed, without a sequence', { sequence: undefined }],
  ['agreed, of no number', { sequence: 'x' }],
])('nor does a pointer that says %s', async (_what, said) => {
  const [doctor, { userId, call }] = [await physician(), await patientAtSite()];
  expect((await call('POST', agreeing)).status).toBe(200);
  const pointer = Object.entries({ ...(await pointerOf(userId)), ...said }).filter(([, value]) => value !== undefined);
  await forge(Object.fromEntries(pointer));
  expect((await call('DELETE', revoking)).body).toMatchObject({ agreed: false });
  expect((await doctor('GET', `/crm/patients/${userId}`)).body.code).toBe('CONSENT_REQUIRED');
});

test.each<[string, object]>([
  ['of a year to come', { recordedAt: '2099-01-01T00:00:00.000Z' }],
  ['of the highest number', { sequence: Number.MAX_SAFE_INTEGER }],
  ['of no number', { sequence: 'x' }],
])('nor does a record %s behind the last one', async (_what, more) => {
  const [doctor, { userId, call }] = [await physician(), await patientAtSite()];
  expect((await call('POST', agreeing)).status).toBe(200);
  const { recordedAt, ...agreed } = (await pointerOf(userId)) ?? {};
  const later = new Date(Date.parse(String(recordedAt)) + 1).toISOString();
  const row = { userAgreement: `${userId}#${dataSharing}`, ...agreed, recordedAt: later, ...more };
  await written(['ConsentRecords', row]);
  expect((await call('DELETE', revoking)).body).toMatchObject({ agreed: false });
  expect((await doctor('GET', `/crm/patients/${userId}`)).body.code).toBe('CONSENT_REQUIRED');
});

test('a revocation whose record was made none is not undone by the pointer before it', async () => {
  const doctor = await physician();
  const { userId, email, call } = await attacked.account();
  await atSite(userId, call);
  expect((await call('POST', agreeing)).status).toBe(200);
  const agreed = await pointerOf(userId);
  expect((await call('DELETE', revoking)).status).toBe(200);
  await eventually(async () => expect(await attacked.mailsTo(email)).toHaveLength(2));
  const { recordedAt } = (await pointerOf(userId)) ?? {};
  await written(
    ['ConsentRecords', { userAgreement: `${userId}#${dataSharing}`, recordedAt }],
    ['ConsentStates', { ...agreed }],
  );
  expect((await doctor('GET', `/crm/patients/${userId}`)).status).toBe(503);
  // The patient is told of the consent that the pointer shows again.
  await eventually(async () => expect(await attacked.mailsTo(email)).toHaveLength(3));
  expect((await call('DELETE', revoking)).body).toMatchObject({ agreed: false });
  expect((await doctor('GET', `/crm/patients/${userId}`)).body.code).toBe('CONSENT_REQUIRED');
});

test('the watcher is out of reach of who writes consents', () => {
  const { functions, principals } = attacked.stage().model();
  const statementsOf = (operation: string) => {
    const fn = functions.find((one) => one.operation === operation && one.environment.APPLICATION === 'sleepcare');
    return principals.find(({ arn }) => arn === fn?.roleArn)?.statements ?? [];
  };
  const writes = /dynamodb:(Put|Update|Delete|BatchWrite)/;
  const may = (operation: string, action: RegExp) =>
    statementsOf(operation).some((one) => action.test(JSON.stringify(one.Action ?? [])));
  expect(may('watch-consent-states', writes)).toBe(false);
  expect(may('watch-consent-states', /s3:PutObject/)).toBe(true);
  for (const operation of ['agree', 'agree-to-versions', 'revoke-consent', 'leave-study']) {
    expect(may(operation, writes)).toBe(true);
    expect(may(operation, /s3:|sqs:|sns:|lambda:/)).toBe(false);
  }
});
