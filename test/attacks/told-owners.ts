import { createHash, randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, NumberValue, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { partsOf } from '../../functions/auth/rules/refresh-token.ts';
import { hashOf, stateOf } from '../../functions/consents/rules/record.ts';
import { appendRecords } from '../../functions/consents/stores/consent-rows.ts';
import { dataSharing } from '../../functions/product.ts';
import { eventually } from '../eventually.ts';
import { historyOf } from '../ledger/histories.ts';
import { handlesNamed } from '../tables.ts';
import { type AttackedStage, filling } from './attacked-stage.ts';

/** What owners of accounts learn and keep, whoever writes rows about them with the rights of one function. */
export function attackOwners(attacked: AttackedStage): void {
  const write = (operation: string, ...TransactItems: object[]) =>
    attacked.as(operation).dynamo.send(new TransactWriteCommand({ TransactItems: TransactItems as never }));
  const put = (operation: string, table: string, Item: object) =>
    write(operation, { Put: { TableName: attacked.table(table), Item } });
  const mail = (address: string, subject: string) =>
    eventually(async () => {
      const found = (await attacked.mailsTo(address)).findLast((each) => each.subject === subject);
      if (!found) throw new Error(`no mail: ${subject}`);
      return found;
    });

  test.each(['read-profile', 'update-profile', 'request-export'])(
    'with the role of %s a planted address gets no mail, and is nobody’s former address',
    async (operation) => {
      const { userId, email, password, call } = await attacked.account();
      expect((await call('GET', '/users/me')).status).toBe(200);
      const TableName = attacked.table('Users');
      const { Item } = await attacked.owner().dynamo.send(new GetCommand({ TableName, Key: { userId } }));
      const [thief, next] = [`thief-${userId}@example.com`, `next-${userId}@example.com`];
      await put(operation, 'Users', { ...Item, email: thief });
      await call('POST', '/users/me/email', { email: next, password });
      const { code } = await mail(next, 'Your code to confirm this e-mail address');
      expect((await call('POST', '/users/me/email/verify', { email: next, code })).status).toBe(200);
      await mail(email, 'Your e-mail address was changed');
      await put(operation, 'Users', { ...Item, email: thief });
      await call('PUT', '/users/me/password', { currentPassword: password, password: `Next-${password}` });
      await mail(next, 'Your password was changed');
      expect(await attacked.mailsTo(thief)).toEqual([]);
    },
  );

  const planted = [
    ...['read-profile', 'request-export'].map((operation) => ({ operation, filled: 'nothing' })),
    ...['alien', 'username', 'email', 'locale', 'timezone', 'createdAt'].map((filled) => ({
      operation: 'update-profile',
      filled,
    })),
  ];
  test.each(planted)(
    'with the role of $operation no row of a profile keeps an address from being changed: $filled fills it',
    async ({ operation, filled }) => {
      const { userId, email, password, call } = await attacked.account();
      expect((await call('GET', '/users/me')).status).toBe(200);
      const next = `next-${userId}@example.com`;
      await call('POST', '/users/me/email', { email: next, password });
      const { code } = await mail(next, 'Your code to confirm this e-mail address');
      // It lacks what a change of the profile compares.
      const Item = { userId, application: 'sleepcare', username: userId, email: '7' };
      const others = Object.fromEntries(Object.entries(Item).filter(([name]) => name !== filled));
      const full = filled === 'nothing' ? { email: 7 } : { [filled]: filling(others, filled) };
      await put(operation, 'Users', { ...Item, ...full });
      expect((await call('POST', '/users/me/email/verify', { email: next, code })).status).toBe(200);
      await mail(email, 'Your e-mail address was changed');
    },
  );

  test('a session that is marked as ended does not outlive a new password', async () => {
    const { password, call, signIn, renew } = await attacked.account();
    const { refreshToken } = await signIn();
    const { userId, sessionId } = partsOf(refreshToken) ?? {};
    const marked = (UpdateExpression: string, values?: object) => ({
      Update: {
        TableName: attacked.table('Sessions'),
        Key: { userId, sessionId },
        UpdateExpression,
        ...(values && { ExpressionAttributeValues: values }),
      },
    });
    await write(
      'end-sessions',
      marked('SET endedAt = :at, endedBy = :by', { ':at': '2026-01-01T00:00:00.000Z', ':by': 'asked' }),
    );
    const changed = await call('PUT', '/users/me/password', {
      currentPassword: password,
      password: `Next-${password}`,
    });
    expect(changed.status).toBe(200);
    await write('end-sessions', marked('REMOVE endedAt, endedBy'));
    expect((await renew(refreshToken)).status).toBe(401);
  });

  test('numbers of more digits than anybody counts with keep no session alive, and no change waiting', async () => {
    const { userId, email, password, call, signIn, renew } = await attacked.account();
    const thief = partsOf((await signIn()).refreshToken);
    const { refreshToken } = await signIn();
    const digits = NumberValue.from('1.00000000000000000000000001');
    const set = (table: string, Key: object, name: string) => ({
      Update: {
        ...{ TableName: attacked.table(table), Key, UpdateExpression: 'SET #name = :digits' },
        ...{ ExpressionAttributeNames: { '#name': name }, ExpressionAttributeValues: { ':digits': digits } },
      },
    });
    await write('end-session', set('EndedSessions', { userId }, 'notBefore'));
    await write('end-session', set('Sessions', { userId, sessionId: thief?.sessionId }, 'renewedAt'));
    const changed = { currentPassword: password, password: `Next-${password}` };
    expect((await call('PUT', '/users/me/password', changed)).status).toBe(200);
    expect((await renew(refreshToken)).status).toBe(401);
    const mailRecord = `account#${createHash('sha256').update(userId).digest('hex')}`;
    const turn = set('MailRecords', { mailRecord }, 'turnUntil');
    await write('replace-password', turn);
    const { accessToken } = await attacked.tokens(email, `Next-${password}`);
    const next = `next-${userId}@example.com`;
    const again = attacked.callerWith(accessToken);
    await again('POST', '/users/me/email', { email: next, password: `Next-${password}` });
    const { code } = await mail(next, 'Your code to confirm this e-mail address');
    expect((await again('POST', '/users/me/email/verify', { email: next, code })).status).toBe(200);
  });

  const set = (table: string, Key: object, name: string, value: unknown) => ({
    Update: {
      ...{ TableName: attacked.table(table), Key, UpdateExpression: 'SET #name = :value' },
      ...{ ExpressionAttributeNames: { '#name': name }, ExpressionAttributeValues: { ':value': value } },
    },
  });

  test.each([
    ['sessions', (text: string) => new Set([text])],
    [
      'sessions',
      (text: string) => new Set(text.match(/.{1,60}/g)?.map(({ length }, at) => `${at}#`.padEnd(length, 'x'))),
    ],
    ['sessions', (text: string) => text],
    ['notBefore', (text: string) => text],
    ['underWayUntil', (text: string) => text],
    ['expiresAt', (text: string) => text],
  ])('no session outlives its end because the %s of its owner’s endings fill their row', async (name, from) => {
    const { userId, email, password, call, signIn, renew } = await attacked.account();
    const [asked, reused, other] = [await signIn(), await signIn(), await signIn()];
    const fill = async () => {
      await attacked
        .owner()
        .dynamo.send(new DeleteCommand({ TableName: attacked.table('EndedSessions'), Key: { userId } }));
      await write('end-session', set('EndedSessions', { userId }, name, from(filling({ userId }, name))));
    };
    const isRefused = async ({ accessToken }: { accessToken: string }) =>
      (await attacked.callerWith(accessToken)('GET', '/users/me')).status === 401;
    await fill();
    const { sessionId } = partsOf(asked.refreshToken) ?? {};
    expect((await call('DELETE', `/auth/sessions/${sessionId}`)).status).toBe(200);
    // Of more names than fit nobody knows which are true: all who signed in until now end.
    const planted = from('x'.repeat(100));
    const areTooMany = planted instanceof Set && planted.size > 1;
    expect([await isRefused(asked), await isRefused(reused)]).toEqual([true, areTooMany]);
    if (areTooMany) return;
    await fill();
    expect((await renew(reused.refreshToken)).status).toBe(200);
    const Key = { userId, sessionId: partsOf(reused.refreshToken)?.sessionId };
    // As if its grace were over.
    const forgotten = { TableName: attacked.table('Sessions'), Key, UpdateExpression: 'REMOVE predecessors' };
    await attacked.owner().dynamo.send(new UpdateCommand(forgotten));
    expect((await renew(reused.refreshToken)).status).toBe(401);
    await mail(email, 'A device was signed out for safety');
    expect([await isRefused(reused), await isRefused(other)]).toEqual([true, false]);
    await fill();
    const next = { currentPassword: password, password: `Next-${password}` };
    expect((await call('PUT', '/users/me/password', next)).status).toBe(200);
    expect((await renew(other.refreshToken)).status).toBe(401);
    expect(await isRefused(other)).toBe(true);
    expect((await call('GET', '/users/me')).status).toBe(200);
  });

  test('a session whose row is full ends', async () => {
    const { call, signIn, renew } = await attacked.account();
    const { refreshToken } = await signIn();
    const { userId, sessionId } = partsOf(refreshToken) ?? {};
    const Key = { userId, sessionId };
    const TableName = attacked.table('Sessions');
    const { Item } = await attacked.owner().dynamo.send(new GetCommand({ TableName, Key }));
    const { renewedAt: _renewedAt, ...others } = Item ?? {};
    await write('end-session', set('Sessions', Key, 'renewedAt', filling(others, 'renewedAt')));
    expect((await call('DELETE', `/auth/sessions/${sessionId}`)).status).toBe(200);
    expect((await renew(refreshToken)).status).toBe(401);
  });

  test.each(['former', 'turn', 'turnUntil', 'securedAt', 'holder'])(
    'no change of an address waits because the %s of its account fills the row',
    async (name) => {
      const { userId, password, call } = await attacked.account();
      expect((await call('GET', '/users/me')).status).toBe(200);
      const mailRecord = `account#${createHash('sha256').update(userId).digest('hex')}`;
      await write('replace-password', set('MailRecords', { mailRecord }, name, filling({ mailRecord }, name)));
      const next = `next-${userId}@example.com`;
      await call('POST', '/users/me/email', { email: next, password });
      const { code } = await mail(next, 'Your code to confirm this e-mail address');
      expect((await call('POST', '/users/me/email/verify', { email: next, code })).status).toBe(200);
    },
  );

  test('a row that is no session keeps no session of a thief alive, and the list of devices readable', async () => {
    const { userId, password, call, signIn, renew } = await attacked.account();
    const { refreshToken } = await signIn();
    const Key = { userId, sessionId: '!' };
    const Update = { TableName: attacked.table('Sessions'), Key, UpdateExpression: 'SET endedBy = :x' };
    await write('end-sessions', { Update: { ...Update, ExpressionAttributeValues: { ':x': 'x' } } });
    const next = { currentPassword: password, password: `Next-${password}` };
    expect((await call('PUT', '/users/me/password', next)).status).toBe(200);
    expect((await renew(refreshToken)).status).toBe(401);
    expect((await call('GET', '/auth/sessions')).status).toBe(200);
  });

  test('a language and a time zone that are none keep no mail from its owner', async () => {
    const { userId, email, password, call } = await attacked.account();
    await put('read-profile', 'Users', {
      userId,
      application: 'sleepcare',
      username: userId,
      email,
      locale: 5,
      timezone: 'x',
    });
    const next = { currentPassword: password, password: `Next-${password}` };
    expect((await call('PUT', '/users/me/password', next)).status).toBe(200);
    await mail(email, 'Your password was changed');
  });

  test('with the role of leave-study nobody takes part unnoticed, in one step or in two', async () => {
    const enrolledAt = new Date().toISOString();
    for (const first of [null, {}, { enrolledAt: '\u0001'.repeat(100_000) }, { enrolledAt, leftAt: enrolledAt }]) {
      const { userId, email } = await attacked.account();
      const studyId = randomUUID();
      if (first) await put('leave-study', 'Enrolments', { studyId, userId, ...first });
      await put('leave-study', 'Enrolments', { studyId, userId, enrolledAt });
      await mail(email, 'You take part in a study');
    }
  });

  test.each(['join-study', 'leave-study'])('with the role of %s nobody gets another arm unnoticed', async (role) => {
    const taking = { studyId: randomUUID(), userId: randomUUID(), enrolledAt: new Date().toISOString(), group: 'A' };
    await put(role, 'Enrolments', taking);
    attacked.log.length = 0;
    await put(role, 'Enrolments', { ...taking, group: 'B' });
    const setAside = /publish-enrolment-events .*"recordsSetAside":1/;
    await eventually(() => expect(attacked.log.join('\n')).toMatch(setAside));
  });

  test('with the role of agree no record is unnoticed for having no pointer', async () => {
    const [record] = historyOf(1, randomUUID(), dataSharing, { from: Date.now() }) as [ConsentRecord];
    attacked.told.length = 0;
    await put('agree', 'ConsentRecords', { userAgreement: `${record.userId}#${dataSharing}`, ...record });
    await eventually(() => expect(attacked.told.join()).toContain('no-pointer'));
  });

  test('with the role of revoke-consent no record is unnoticed for being put before another one', async () => {
    const call = await attacked.caller(randomUUID());
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
    const [own] = (await call('GET', '/users/agreements/marketing/history')).body.items as [ConsentRecord];
    const { hash: _hash, ...record } = { ...own, action: 'revoked' as const, sequence: 0, recordId: randomUUID() };
    const recordedAt = new Date(Date.parse(own.recordedAt) - 60_000).toISOString();
    const planted = { ...record, recordedAt, hash: hashOf({ ...record, recordedAt }) };
    attacked.told.length = 0;
    await put('revoke-consent', 'ConsentRecords', { userAgreement: `${own.userId}#marketing`, ...planted });
    await eventually(() => expect(attacked.told.join()).toContain('no-pointer'));
  });

  test('with the role of agree no consent to data sharing is unnoticed for having its record later', async () => {
    const { userId, email } = await attacked.account();
    const [record] = historyOf(1, userId, dataSharing, { from: Date.now() }) as [ConsentRecord];
    await put('agree', 'ConsentStates', stateOf(record));
    await mail(email, 'You share your data with your clinic');
  });

  test('with the role of agree no consent to data sharing is unnoticed for being called imported', async () => {
    const { userId, email } = await attacked.account();
    const [record] = historyOf(1, userId, dataSharing, { from: Date.now(), source: 'imported' }) as [ConsentRecord];
    const tables = handlesNamed(attacked.as('agree').dynamo, ['ConsentRecords', 'ConsentStates'], attacked.table);
    expect(await appendRecords(tables, [record], randomUUID(), new Map())).toBe(true);
    await mail(email, 'You share your data with your clinic');
  });
}
