import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, GetCommand, NumberValue, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { staffPart } from '../../functions/access/data-subject.ts';
import { dueKeyOf } from '../../functions/erasure/rules/due.ts';
import { erasureKeyOf } from '../../functions/erasure/rules/erasure.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { requestKey } from '../../functions/evidence/rules/evidence-keys.ts';
import { dataSharing } from '../../functions/product.ts';
import { accountPart } from '../../lib/contract/accounts.ts';
import { hashOfUser } from '../../lib/runtime/log.ts';
import { eventually } from '../eventually.ts';
import { partition } from '../partition.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { type AttackedStage, filling } from './attacked-stage.ts';

/** What protects people still works, whoever writes rows with the rights of one function. */
export function attackWhatProtects(attacked: AttackedStage): void {
  const others = { part: randomUUID(), place: 'entry', userId: randomUUID(), name: '', roles: 'admin', revision: 1 };
  const filledBy = (name: string, fill: (text: string) => unknown = (text) => text) => ({
    revision: 1,
    [name]: fill(filling(others, name).slice(10)),
  });
  // In a list each has a byte beside it.
  const inParts = (text: string) => text.match(/.{2,99}/g)?.map((part) => part.slice(1));
  const write = (operation: string, application: 'sleepcare' | 'medinfo', ...TransactItems: object[]) =>
    attacked
      .as(operation, application)
      .dynamo.send(new TransactWriteCommand({ TransactItems: TransactItems as never }));
  const read = async (name: string, Key: object) =>
    (await attacked.owner().dynamo.send(new GetCommand({ TableName: attacked.table(name), Key, ConsistentRead: true })))
      .Item;

  test.each([
    ['required', { isRequired: true }],
    ['a version', { versionId: 'data-sharing-1.0' }],
  ])('data sharing can be revoked where the row of the agreement says that it is %s', async (_is, planted) => {
    const call = await attacked.caller(randomUUID());
    expect((await call('POST', '/agreements/versions/data-sharing-1.0/agree')).status).toBe(200);
    const Key = { application: 'sleepcare', catalogueKey: `agreement#${dataSharing}` };
    const Item = await read('Agreements', Key);
    const TableName = attacked.table('Agreements');
    await write('draft-agreement-version', 'medinfo', { Put: { TableName, Item: { ...Item, ...planted } } });
    try {
      const revoked = await call('DELETE', `/users/agreements/${dataSharing}/consent`);
      expect(revoked).toMatchObject({ status: 200, body: { agreed: false } });
    } finally {
      await attacked.owner().dynamo.send(new PutCommand({ TableName, Item }));
    }
  });

  test('a filled catalogue keeps nobody from revoking, nor from the history; what is required stays', async () => {
    const call = await attacked.caller(randomUUID());
    const agreements = [dataSharing, 'marketing', 'terms-of-service'];
    for (const each of agreements) {
      expect((await call('POST', `/agreements/versions/${each}-1.0/agree`)).status).toBe(200);
    }
    const TableName = attacked.table('Agreements');
    const keys = agreements.flatMap((agreementId) =>
      Array.from({ length: 64 }, (_, number) => ({
        application: 'sleepcare',
        catalogueKey: `agreement#${agreementId}#${number}`,
      })),
    );
    const fill = 'x'.repeat(390_000);
    const puts = keys.map((key) => ({ Put: { TableName, Item: { ...key, versionId: key.catalogueKey, fill } } }));
    for (let from = 0; from < puts.length; from += 8) {
      await write('draft-agreement-version', 'medinfo', ...puts.slice(from, from + 8));
    }
    try {
      expect((await call('POST', `/agreements/versions/${dataSharing}-1.0/agree`)).status).toBe(500);
      for (const each of agreements) {
        const revoked = await call('DELETE', `/users/agreements/${each}/consent`);
        expect(revoked.status).toBe(each === 'terms-of-service' ? 400 : 200);
        const { status, body } = await call('GET', `/users/agreements/${each}/history`);
        expect([status, body.items.length]).toEqual([200, each === 'terms-of-service' ? 1 : 2]);
        const state = await call('GET', `/users/agreements/${each}/state`);
        expect(state.body.agreed).toBe(each === 'terms-of-service');
      }
    } finally {
      for (const Key of keys) await attacked.owner().dynamo.send(new DeleteCommand({ TableName, Key }));
    }
  });

  test.each([
    ['no revision', {}],
    ['the revision 0', { revision: 0 }],
    ['a revision on which nobody can count', { revision: NumberValue.from('1000000000000000000000000000000') }],
    ['a revision of many digits', { revision: NumberValue.from('1.00000000000000000000000001') }],
    ['a revision between two', { revision: 1.5 }],
    ['a text for a revision', { revision: '1' }],
    ['a name that is none', { revision: 1, name: 7, siteIds: 'x' }],
    ['the id of nobody', { revision: 1, userId: undefined }],
    ['the id of another one', { revision: 1, userId: 'somebody' }],
    ['a title that fills it', filledBy('title')],
    ['a name that fills it', filledBy('name')],
    ['something else that fills it', filledBy('else')],
    ['one long site that fills it', filledBy('siteIds', (text) => [text])],
    ['many sites that fill it', filledBy('siteIds', inParts)],
    [
      'many sites of letters with three bytes that fill it',
      filledBy('siteIds', (text) => inParts('€'.repeat(text.length / 3))),
    ],
    ['many specialties that fill it', filledBy('specialties', inParts)],
    ['a role that fills it', filledBy('roles', (text) => [text])],
  ])('a member of staff can be disabled whose entry in the directory has %s', async (_what, planted) => {
    const userId = randomUUID();
    expect((await (await attacked.caller(userId, 'physician', 'medinfo'))('GET', '/users/me')).status).toBe(200);
    const admin = await attacked.caller(randomUUID(), 'admin', 'medinfo');
    expect((await admin('GET', `/admin/staff/${userId}`)).status).toBe(200);
    const item = { part: userId, place: 'entry', userId, name: null, roles: ['admin'], ...planted };
    const Item = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
    await write('update-crm-user', 'medinfo', { Put: { TableName: attacked.table('StaffDirectory'), Item } });
    const disabled = await admin('POST', `/admin/staff/${userId}/disable`);
    expect(disabled).toMatchObject({ status: 200, body: { status: 'disabled' } });
  });

  test.each([
    ['times to come', Array.from({ length: 10 }, () => '9999-01-01T00:00:00.000Z')],
    ['no list', 'x'],
  ])('wrong tries of codes that are %s lock nobody out of sites', async (_what, wrong) => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    const Item = { userId, changeId: 'x', wrong, expiresAt: 253_370_764_800 };
    await write('choose-main-site', 'sleepcare', { Put: { TableName: attacked.table('SiteCodeTries'), Item } });
    expect(await call('POST', '/users/me/sites', { code: 'ACDEFGHJ' })).toMatchObject({
      status: 404,
      body: { code: 'SITE_NOT_FOUND' },
    });
  });

  const underWay = (length: number, acceptedAt: string) =>
    Array.from({ length }, () => ({ broadcastId: randomUUID(), acceptedAt }));
  test.each([
    ['of times to come', { messages: underWay(3, '9999-01-01T00:00:00.000Z') }],
    ['too many', { messages: underWay(200, '2026-01-01T00:00:00.000Z') }],
    ['no list', { messages: 'x' }],
    ['no messages', { messages: [null, { broadcastId: 'x'.repeat(3000) }, { broadcastId: '', acceptedAt: '' }] }],
    ['counted by a text', { revision: 'x' }],
    ['in a full row', { members: 'full' }],
  ])('messages under way that are %s keep no message from a group', async (_are, planted) => {
    const admin = await attacked.caller(randomUUID(), 'admin', 'medinfo');
    const { groupId } = (await admin('POST', '/groups', { name: 'Pilot', kind: 'patients' })).body;
    const Key = { kind: `messages#${groupId}`, groupKey: 'under way' };
    const full = { members: filling({ ...Key, messages: '', revision: '' }, 'members').slice(9) };
    const [name, value] = Object.entries('members' in planted ? full : planted)[0] ?? [];
    await write('put-group-member', 'medinfo', {
      Update: {
        ...{ TableName: attacked.table('Groups'), Key, UpdateExpression: 'SET #name = :value' },
        ...{ ExpressionAttributeNames: { '#name': String(name) }, ExpressionAttributeValues: { ':value': value } },
      },
    });
    const said = { purpose: 'service', title: 'News', body: 'There is news.' };
    expect((await admin('POST', `/groups/${groupId}/messages`, said)).status).toBe(202);
  });

  const never = '9999-12-31T00:00:00.000Z';
  const open = { status: 'running', requestedAt: never, progressAt: never, finishedAt: null, leaseEndsAt: null };
  test.each([
    ['an export that is being made in the year 9999', '99991231T000000000Z-01234567', open],
    ['one behind the latest', '~~', open],
    ['rows that are no exports', 'x', {}],
    [
      'an export without an expiry',
      '20260101T000000000Z-01234567',
      { ...open, requestedAt: '2026-01-01T00:00:00.000Z' },
    ],
    ['a latest one without its id', '~latest', { status: 'x' }],
    ['a latest one whose id is a number of many digits', '~latest', { latestId: NumberValue.from('1e30') }],
    ['a latest one that is full', '~latest', { progress: 'x'.repeat(409_500) }],
  ])('an own copy of the data is made, and listed, beside %s', async (_what, exportId, planted) => {
    const { userId, call } = await attacked.account();
    const names = Object.entries({ application: 'sleepcare', expiresAt: 9e15, ...planted });
    const plant = (Key: { userId: string; exportId: string }) =>
      write('request-export', 'sleepcare', {
        Update: {
          ...{ TableName: attacked.table('PersonalExports'), Key },
          UpdateExpression: `SET ${names.map(([name]) => `#${name} = :${name}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map(([name]) => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(names.map(([name, value]) => [`:${name}`, value])),
        },
      });
    await plant({ userId, exportId });
    if (exportId === 'x') for (const at of Array(9).keys()) await plant({ userId, exportId: `x${at}` });
    const asked = await call('POST', '/users/me/exports');
    expect(asked).toMatchObject({ status: 202, body: { exportId: expect.not.stringContaining(exportId) } });
    const { items } = (await call('GET', '/users/me/exports')).body;
    expect(items).toMatchObject([{ exportId: asked.body.exportId }]);
    expect(await call('POST', '/users/me/exports')).toMatchObject({ status: 202 });
  });

  test.each([
    ['request-erasure', {}],
    ['restore-account', 7],
    ['restore-account', ['9'.repeat(30)]],
  ])(
    'ends of an account that are none (%s: %j) stop no urgent ticket, no list of a site and no revocation',
    async (operation, ends) => {
      const [userId, siteId, doctorId] = [randomUUID(), randomUUID(), randomUUID()];
      const call = await attacked.caller(userId);
      await call('GET', '/users/me');
      const since = '2026-01-01T00:00:00.000Z';
      for (const [name, Item] of [
        ['CareRelations', { userId, siteId, since }],
        ['SitePatients', { userId, siteId, since }],
        ['Staff', { userId: doctorId, part: staffPart(siteId), since }],
      ] as const)
        await attacked.owner().dynamo.send(new PutCommand({ TableName: attacked.table(name), Item }));
      const doctor = await attacked.caller(doctorId, 'physician', 'medinfo');
      expect((await call('POST', `/agreements/versions/${dataSharing}-1.0/agree`)).status).toBe(200);
      expect((await doctor('GET', `/crm/patients/${userId}`)).status).toBe(200);
      const Item = { userId, part: accountPart, isClosed: false, ends };
      await write(operation, 'sleepcare', { Put: { TableName: attacked.table('Accounts'), Item } });
      const path = `/questionnaires/responses/${randomUUID()}`;
      await call('PUT', path, { questionnaireId: 'phq-9', version: '1.1', answers: phq9(2) });
      expect((await call('POST', `${path}/complete`)).status).toBe(200);
      const { dynamo } = attacked.owner();
      await eventually(async () =>
        expect(await partition(dynamo, attacked.table('UrgentTickets'), { part: `user#${userId}` })).toHaveLength(1),
      );
      expect(await doctor('GET', '/crm/patients')).toMatchObject({ status: 200, body: { items: [{ userId }] } });
      expect((await doctor('GET', '/crm/site-urgent-tickets')).status).toBe(200);
      // Nobody knows whether an end of this consent was among them.
      expect((await doctor('GET', `/crm/patients/${userId}`)).status).toBe(503);
      const revoked = await call('DELETE', `/users/agreements/${dataSharing}/consent`);
      expect(revoked).toMatchObject({ status: 200, body: { agreed: false } });
    },
  );

  const day = new Date().toISOString().slice(0, 10);
  test.each([
    ['a number of 1024 bytes', 'SleepWindows', { number: '~'.repeat(1024) }],
    ['the longest number that counts', 'SleepWindows', { number: '~'.repeat(64), isCounted: true }],
    ['a sequence on which nobody can count', 'SleepWindows', { number: '0002', sequence: Number.MAX_SAFE_INTEGER }],
    ['nothing but its key', 'SleepWindows', { number: '0002', sequence: undefined, startedOn: undefined }],
    ['a zone that is none', 'SleepWindows', { number: '0002', zone: 'Nowhere/Land', isCounted: true }],
    [
      'a night to come of no zone',
      'SleepEntries',
      { date: '9999-12-31', content: { zone: 'Nowhere/Land' }, night: {} },
    ],
    ['an answer of scores that are none', 'QuestionnaireResponses', { part: 'of#ess#~', scores: {} }],
    ['an answer of no time', 'QuestionnaireResponses', { part: 'of#phq-9#~', scores: [null], corrected: null }],
  ] as const)('a sleep window is shown and can be withdrawn beside %s', async (_what, name, { ...planted }) => {
    const [userId, siteId, doctorId] = [randomUUID(), randomUUID(), randomUUID()];
    const call = await attacked.caller(userId);
    await call('GET', '/users/me');
    const since = '2026-01-01T00:00:00.000Z';
    const window = {
      ...{ userId, number: '0001', sequence: 1, from: day, startedOn: day, releasedAt: new Date().toISOString() },
      ...{ minutes: 300, bedTime: '02:00', risingTime: '07:00', ruleVersion: '2', because: ['FIRST_WINDOW'] },
      week: { from: day, to: day, nights: 7, meanSleepMinutes: 300, efficiencyPercent: 70 },
      ...{ proposalId: 'p', proposed: { minutes: 300, risingTime: '07:00' }, replaces: null, isWithdrawn: false },
      ...{ by: 'physician', screening: null, sleepySuspensions: 0, sleepyAt: null, lowMoodAt: null, excludedAt: null },
      ...{ zone: 'Europe/Berlin', releasedBy: doctorId },
    };
    for (const [table, Item] of [
      ['CareRelations', { userId, siteId, since }],
      ['Staff', { userId: doctorId, part: staffPart(siteId), since }],
      ['SleepWindows', window],
    ] as const)
      await attacked.owner().dynamo.send(new PutCommand({ TableName: attacked.table(table), Item }));
    expect((await call('POST', `/agreements/versions/${dataSharing}-1.0/agree`)).status).toBe(200);
    const operation = {
      SleepWindows: 'release-own-sleep-window',
      SleepEntries: 'put-sleep-entry',
      QuestionnaireResponses: 'put-questionnaire-response',
    }[name];
    const item = { userId, ...(name === 'SleepWindows' && { ...window, minutes: 60 }), ...planted };
    const Item = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
    await write(operation, 'sleepcare', { Put: { TableName: attacked.table(name), Item } });
    const doctor = await attacked.caller(doctorId, 'physician', 'medinfo');
    const path = `/users/${userId}/sleep/window`;
    const minutes = 'isCounted' in planted ? 60 : 300;
    for (const seen of [await call('GET', '/sleep/window'), await doctor('GET', path)])
      expect(seen).toMatchObject({ status: 200, body: { window: { minutes } } });
    expect((await doctor('POST', `${path}/withdraw`, { sequence: 1 })).status).toBe(200);
    expect((await call('GET', '/sleep/window')).body).toMatchObject({ status: 'none', window: null });
  });

  test('requests for an erasure that somebody stores do not use up the requests of a day', async () => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    await call('GET', '/users/me');
    const { s3 } = attacked.as('request-erasure');
    const now = Date.now();
    const put = (at: number) => {
      const Key = requestKey(userId, new Date(now - at).toISOString());
      return s3.send(new PutObjectCommand({ Bucket: attacked.bucket(), Key, Body: '{}', IfNoneMatch: '*' }));
    };
    await Promise.all(Array.from({ length: 20 }, (_, at) => put(at)));
    expect((await call('DELETE', '/users/me')).status).toBe(200);
  });

  test('an erasure whose row names another application is not carried out there, where its login is not', async () => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    await call('GET', '/users/me');
    expect((await call('DELETE', '/users/me')).status).toBe(200);
    const state = (await read('Erasures', erasureKeyOf(userId))) as Erasure;
    const moved = { ...state, application: 'medinfo' };
    const TableName = attacked.table('Erasures');
    await write(
      'set-legal-hold',
      'medinfo',
      { Put: { TableName, Item: { ...moved, ...erasureKeyOf(userId) } } },
      { Delete: { TableName, Key: dueKeyOf(state) } },
      { Put: { TableName, Item: { ...dueKeyOf(moved), userId } } },
    );
    attacked.log.length = 0;
    const run = await attacked
      .stage()
      .runSchedule('erase-accounts')
      .catch((error: unknown) => error);
    const ofUser = [...attacked.log, JSON.stringify(run)].filter((line) => line.includes(hashOfUser(userId)));
    expect(ofUser.join()).toContain('NotAsked');
  });
}
