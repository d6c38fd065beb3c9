import { randomUUID } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { NumberValue, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { hashOf } from '../../functions/consents/rules/record.ts';
import { appendRecords } from '../../functions/consents/stores/consent-rows.ts';
import { begunKey, tombstoneKey, tombstoneType } from '../../functions/evidence/rules/evidence-keys.ts';
import { signCompact } from '../../lib/runtime/sign.ts';
import { eventually } from '../eventually.ts';
import { historyOf } from '../ledger/histories.ts';
import { handlesNamed } from '../tables.ts';
import { attackedHouse } from './house.ts';

/** The proof, attacked with the rights of single functions: exactly what the template grants their roles. */

const house = attackedHouse();
const yearMs = 365 * 86_400_000;
const about = (found: readonly { userId: string | null; kind: string }[], userId: string) =>
  found.filter((finding) => finding.userId === userId).map(({ kind }) => kind);

/** A chain, put by a role as its function would put it. */
async function plant(operation: string, chain: readonly ConsentRecord[]): Promise<void> {
  const tables = handlesNamed(house.as(operation).dynamo, ['ConsentRecords', 'ConsentStates'], house.table);
  for (const record of chain) {
    expect(await appendRecords(tables, [record], randomUUID())).toBe(true);
  }
}

describe('backdating', () => {
  test('chains of two years ago, and the same as an import, for which no function can sign', async () => {
    await house.stage().runSchedule('write-checkpoint');
    const users = ['agree', 'agree-to-versions', 'revoke-consent', 'leave-study'].map((operation) => ({
      operation,
      id: randomUUID(),
    }));
    const from = Date.now() - 2 * yearMs;
    for (const { operation, id } of users) await plant(operation, historyOf(2, id, 'marketing', { from }));
    const importer = randomUUID();
    await plant('agree', historyOf(1, importer, 'marketing', { from, source: 'imported' }));
    for (const _ of ['at once', 'when a checkpoint has them']) {
      const found = await house.verify();
      for (const { id } of users) expect(about(found, id)).toEqual(['record-backdated', 'record-backdated']);
      expect(about(found, importer)).toEqual(['import-unsigned']);
      await house.stage().runSchedule('write-checkpoint');
    }
    const arn = house.output('ImportKeyArn');
    // The check reads its public part.
    await expect(signCompact(house.as('check-ledger').kms, arn, {}, 'consent-import+jwt')).rejects.toThrow(
      'not authorized',
    );
    const { principals } = house.stage().model();
    const uses = principals.flatMap(({ statements }) =>
      statements.filter((one) => JSON.stringify(one).includes(arn) && JSON.stringify(one).includes('kms:Sign')),
    );
    expect(uses).toEqual([]);
  });

  test('a record of the future passes for nothing, before its date and after it', async () => {
    const userId = randomUUID();
    await plant('agree', historyOf(1, userId, 'marketing', { from: Date.now() + 2 * yearMs }));
    expect(about(await house.verify(), userId)).toEqual(['record-postdated']);
    await house.stage().runSchedule('write-checkpoint');
    const later = () => new Date(Date.now() + 3 * yearMs);
    expect(about(await house.verify({ now: later }), userId)).toEqual(['record-postdated']);
  });
});

describe('overwriting', () => {
  const bodyOf = async (key: string) => {
    const { Body } = await house.owner().s3.send(new GetObjectCommand({ Bucket: house.bucket(), Key: key }));
    return JSON.parse((await Body?.transformToString()) ?? '');
  };

  test('another user’s record cannot be given an expiry, and to put over it is an alarm that says which row', async () => {
    const userId = randomUUID();
    const call = await house.caller(userId);
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
    const { body } = await call('GET', '/users/agreements/marketing/history');
    const record = { userAgreement: `${userId}#marketing`, ...body.items[0] };
    const put = (Item: object) => {
      const TransactItems = [{ Put: { TableName: house.table('ConsentRecords'), Item } }];
      return house.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems }));
    };
    await expect(put({ ...record, expiresAt: 1_700_000_000 })).rejects.toThrow('not authorized');
    await expect(put({ ...record, anything: 1 })).rejects.toThrow('not authorized');
    house.log.length = 0;
    house.told.length = 0;
    await put({ ...record, action: 'revoked' });
    const said = await eventually(() => {
      const line =
        house.log.find((one) => one.includes('ledgerRecordsTamperedWith') && one.includes('"changed"')) ?? '';
      return JSON.parse(line.slice(line.indexOf('{')));
    });
    const row = { suspicion: 'changed', agreementId: 'marketing', recordedAt: record.recordedAt };
    expect(said).toMatchObject({ ledgerRecordsTamperedWith: 1, application: 'sleepcare', ...row });
    const { changes } = await bodyOf(said.object);
    const { before, after } = changes.find((one: { suspicion: string }) => one.suspicion === 'changed');
    expect([before, after]).toEqual([record, { ...record, action: 'revoked' }]);
    expect(about(await house.verify(), userId)).toContain('record-altered');
    // People get a message about it, and about the next one while the alarm rings. `eventually` ends within a minute.
    await eventually(() => expect(house.told.join()).toContain('changed'));
    const messages = house.told.length;
    await put({ ...record, action: 'revoked', locale: 'fr' });
    await eventually(() => expect(house.told.length).toBeGreaterThan(messages));
  });

  test('a record that has its hash, but another user’s key or a time of another form, is an alarm at once', async () => {
    const [owner, other] = [randomUUID(), randomUUID()];
    const [record] = historyOf(1, owner, 'marketing', { from: Date.now() });
    const misplaced = { userAgreement: `${other}#marketing`, ...record };
    const recordedAt = new Date(Date.now() + 14 * 3_600_000).toISOString().replace('Z', '+14:00');
    const unsealed = { ...record, recordedAt };
    const late = { userAgreement: `${owner}#marketing`, ...unsealed, hash: hashOf(unsealed) };
    for (const Item of [misplaced, late]) {
      house.told.length = 0;
      const TransactItems = [{ Put: { TableName: house.table('ConsentRecords'), Item } }];
      await house.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems }));
      await eventually(() => expect(house.told.join()).toContain('not-a-record'));
    }
    expect(about(await house.verify(), other)).toContain('record-misplaced');
    expect(about(await house.verify(), owner)).toContain('record-malformed');
  });

  test('the daily check finds it with rights that change nothing, and tells people', async () => {
    const userId = randomUUID();
    const chain = historyOf(2, userId, 'marketing', { from: Date.now() });
    await plant('agree', chain);
    const Item = { userAgreement: `${userId}#marketing`, ...chain[0], locale: 'fr' };
    const TransactItems = [{ Put: { TableName: house.table('ConsentRecords'), Item } }];
    await house.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems }));
    // An expiry without any tombstone, too, which whoever watches cannot read.
    const expiry = { UpdateExpression: 'SET expiresAt = :at', ExpressionAttributeValues: { ':at': 4_000_000_000 } };
    const Key = { userAgreement: `${userId}#marketing`, recordedAt: chain[1]?.recordedAt };
    await house
      .as('release-consents')
      .dynamo.send(new UpdateCommand({ TableName: house.table('ConsentRecords'), Key, ...expiry }));
    await eventually(() => expect(house.told.join()).toContain('expires-unreleased'));
    house.told.length = 0;
    house.log.length = 0;
    await house.stage().runSchedule('check-ledger');
    expect(house.log.join()).toMatch(/"ledgerFindings":[1-9]/);
    expect(house.told.join()).toContain('record-altered');
    const { dynamo } = house.as('check-ledger');
    await expect(dynamo.send(new TransactWriteCommand({ TransactItems }))).rejects.toThrow('not authorized');
  });
});

test('no number and no key that two roles can put ends the check, the watching or a history', async () => {
  const userId = randomUUID();
  const call = await house.caller(userId);
  expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
  const history = () => call('GET', '/users/agreements/marketing/history');
  const { body } = await history();
  const TableName = house.table('ConsentRecords');
  const userAgreement = `${userId}#marketing`;
  const huge = NumberValue.from('100000000000000000000.5');
  const expire = (Key: object) =>
    house.as('release-consents').dynamo.send(
      new UpdateCommand({
        TableName,
        Key: { ...Key },
        UpdateExpression: 'SET expiresAt = :at',
        ExpressionAttributeValues: { ':at': huge },
      }),
    );
  const long = { userAgreement: `${'x'.repeat(1500)}#marketing`, recordedAt: body.items[0].recordedAt };
  await expire({ userAgreement, recordedAt: body.items[0].recordedAt });
  await expire(long);
  // The second one has the watcher ask for what released it.
  await house.as('release-consents').dynamo.send(
    new UpdateCommand({
      TableName,
      Key: long,
      UpdateExpression: 'SET expiresAt = :at',
      ExpressionAttributeValues: { ':at': 4e9 },
    }),
  );
  const Item = { userAgreement, ...body.items[0], recordedAt: new Date().toISOString(), sequence: huge };
  await house.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item } }] }));
  expect(await history()).toMatchObject({ status: 200, body });
  await house.stage().runSchedule('write-checkpoint');
  const found = await house.verify();
  expect(about(found, userId)).toEqual(expect.arrayContaining(['record-expires', 'record-malformed']));
  expect(about(found, 'x'.repeat(1500))).toEqual(['row-planted']);
  house.log.length = 0;
  house.told.length = 0;
  await house.stage().runSchedule('check-ledger');
  expect(house.told.join()).toContain('record-malformed');
  // The stream goes on behind all of it.
  const next = randomUUID();
  await plant('agree', historyOf(1, next, 'marketing', { from: Date.now(), source: 'imported' }));
  await eventually(() => expect(house.log.join()).toContain('"imported"'));
});

describe('tombstones', () => {
  const statementOf = (userId: string, last: ConsentRecord) => ({
    userId,
    chains: [{ agreementId: 'marketing', records: 1, lastSequence: 1, lastHash: last.hash }],
    releasedAt: new Date(Date.now() - 1000).toISOString(),
  });

  test('the role that writes checkpoints can neither sign one nor lay it', async () => {
    const { kms, s3 } = house.as('write-checkpoint');
    await expect(signCompact(kms, house.output('TombstoneKeyArn'), {}, tombstoneType)).rejects.toThrow(
      'not authorized',
    );
    const put = { Bucket: house.bucket(), Key: tombstoneKey('u'), Body: 'x', IfNoneMatch: '*' };
    await expect(s3.send(new PutObjectCommand(put))).rejects.toThrow();
  });

  test('the role that releases can, and it excuses nothing without the beginning of an erasure, which it cannot lay', async () => {
    const userId = randomUUID();
    const chain = historyOf(1, userId, 'marketing', { from: Date.now() });
    await plant('agree', chain);
    await house.stage().runSchedule('write-checkpoint');
    const { kms, s3 } = house.as('release-consents');
    const statement = statementOf(userId, chain[0] as ConsentRecord);
    const Body = await signCompact(kms, house.output('TombstoneKeyArn'), statement, tombstoneType);
    const at = { Bucket: house.bucket(), IfNoneMatch: '*' };
    await s3.send(new PutObjectCommand({ ...at, Key: tombstoneKey(userId), Body }));
    await expect(s3.send(new PutObjectCommand({ ...at, Key: begunKey(userId, 'x'), Body: '{}' }))).rejects.toThrow();
    const Key = { userAgreement: `${userId}#marketing`, recordedAt: chain[0]?.recordedAt };
    const expiry = { UpdateExpression: 'SET expiresAt = :at', ExpressionAttributeValues: { ':at': 4_000_000_000 } };
    const { dynamo } = house.as('release-consents');
    await dynamo.send(new UpdateCommand({ TableName: house.table('ConsentRecords'), Key, ...expiry }));
    expect(about(await house.verify({ retentionYears: 0 }), userId)).toEqual([
      'record-expires',
      'tombstone-contradicted',
    ]);
  });

  test('its updates make rows that have only keys: they are recognised, and become nobody’s last record', async () => {
    const userId = randomUUID();
    const call = await house.caller(userId);
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
    for (const more of [
      { UpdateExpression: 'SET expiresAt = :at', ExpressionAttributeValues: { ':at': 4_000_000_000 } },
      {},
    ]) {
      const Key = {
        userAgreement: `${userId}#marketing`,
        recordedAt: `2999-01-01T00:00:00.00${'at' in more ? 1 : 0}Z`,
      };
      await house
        .as('release-consents')
        .dynamo.send(new UpdateCommand({ TableName: house.table('ConsentRecords'), Key, ...more }));
    }
    expect(about(await house.verify(), userId)).toEqual(['row-planted']);
    const { body } = await call('GET', '/users/agreements/marketing/state');
    expect(body).toMatchObject({ agreed: true, record: { sequence: 1 } });
    expect((await call('GET', '/users/agreements/marketing/history')).body.items).toHaveLength(1);
  });
});
