import { randomUUID } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { NumberValue, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { ConsentRecord, ConsentState } from '../../functions/access/consent-states.ts';
import { hashOf, stateOf } from '../../functions/consents/rules/record.ts';
import { appendRecords } from '../../functions/consents/stores/consent-rows.ts';
import { begunKey, tombstoneKey, tombstoneType } from '../../functions/evidence/rules/evidence-keys.ts';
import { signCompact } from '../../lib/runtime/sign.ts';
import { eventually } from '../eventually.ts';
import { historyOf } from '../ledger/histories.ts';
import { handlesNamed } from '../tables.ts';
import { attackedStage } from './attacked-stage.ts';

/** The proof, attacked with the rights of single functions: exactly what the template grants their roles. */

const attacked = attackedStage();
const yearMs = 365 * 86_400_000;
const about = (found: readonly { userId: string | null; kind: string }[], userId: string) =>
  found.filter((finding) => finding.userId === userId).map(({ kind }) => kind);

/** A chain, put by a role as its function would put it. */
async function plant(operation: string, chain: readonly ConsentRecord[]): Promise<void> {
  const tables = handlesNamed(attacked.as(operation).dynamo, ['ConsentRecords', 'ConsentStates'], attacked.table);
  const pointers = new Map<string, ConsentState>();
  for (const record of chain) {
    expect(await appendRecords(tables, [record], randomUUID(), pointers)).toBe(true);
    pointers.set(record.agreementId, stateOf(record));
  }
}

describe('backdating', () => {
  test('chains of two years ago, and the same as an import, for which no function can sign', async () => {
    await attacked.stage().runSchedule('write-checkpoint');
    const users = ['agree', 'agree-to-versions', 'revoke-consent', 'leave-study'].map((operation) => ({
      operation,
      id: randomUUID(),
    }));
    const from = Date.now() - 2 * yearMs;
    for (const { operation, id } of users) await plant(operation, historyOf(2, id, 'marketing', { from }));
    const importer = randomUUID();
    await plant('agree', historyOf(1, importer, 'marketing', { from, source: 'imported' }));
    for (const _ of ['at once', 'when a checkpoint has them']) {
      const found = await attacked.verify();
      for (const { id } of users) expect(about(found, id)).toEqual(['record-backdated', 'record-backdated']);
      expect(about(found, importer)).toEqual(['import-unsigned']);
      await attacked.stage().runSchedule('write-checkpoint');
    }
    const arn = attacked.output('ImportKeyArn');
    // The check reads its public part.
    await expect(signCompact(attacked.as('check-ledger').kms, arn, {}, 'consent-import+jwt')).rejects.toThrow(
      'not authorized',
    );
    const { principals } = attacked.stage().model();
    const uses = principals.flatMap(({ statements }) =>
      statements.filter((one) => JSON.stringify(one).includes(arn) && JSON.stringify(one).includes('kms:Sign')),
    );
    expect(uses).toEqual([]);
  });

  test('a record of the future passes for nothing, before its date and after it', async () => {
    const userId = randomUUID();
    await plant('agree', historyOf(1, userId, 'marketing', { from: Date.now() + 2 * yearMs }));
    expect(about(await attacked.verify(), userId)).toEqual(['record-postdated']);
    await attacked.stage().runSchedule('write-checkpoint');
    const later = () => new Date(Date.now() + 3 * yearMs);
    expect(about(await attacked.verify({ now: later }), userId)).toEqual(['record-postdated']);
  });
});

describe('overwriting', () => {
  const bodyOf = async (key: string) => {
    const { Body } = await attacked.owner().s3.send(new GetObjectCommand({ Bucket: attacked.bucket(), Key: key }));
    return JSON.parse((await Body?.transformToString()) ?? '');
  };

  test('another user’s record cannot be given an expiry, and to put over it is an alarm that says which row', async () => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
    const { body } = await call('GET', '/users/agreements/marketing/history');
    const record = { userAgreement: `${userId}#marketing`, ...body.items[0] };
    const put = (Item: object) => {
      const TransactItems = [{ Put: { TableName: attacked.table('ConsentRecords'), Item } }];
      return attacked.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems }));
    };
    await expect(put({ ...record, expiresAt: 1_700_000_000 })).rejects.toThrow('not authorized');
    await expect(put({ ...record, anything: 1 })).rejects.toThrow('not authorized');
    attacked.log.length = 0;
    attacked.told.length = 0;
    await put({ ...record, action: 'revoked' });
    const said = await eventually(() => {
      const line =
        attacked.log.find((one) => one.includes('ledgerRecordsTamperedWith') && one.includes('"changed"')) ?? '';
      return JSON.parse(line.slice(line.indexOf('{')));
    });
    const row = { suspicion: 'changed', agreementId: 'marketing', recordedAt: record.recordedAt };
    expect(said).toMatchObject({ ledgerRecordsTamperedWith: 1, application: 'sleepcare', ...row });
    const { changes } = await bodyOf(said.object);
    const { before, after } = changes.find((one: { suspicion: string }) => one.suspicion === 'changed');
    expect([before, after]).toEqual([record, { ...record, action: 'revoked' }]);
    expect(about(await attacked.verify(), userId)).toContain('record-altered');
    // People get a message about it, and about the next one while the alarm rings. `eventually` ends within a minute.
    await eventually(() => expect(attacked.told.join()).toContain('changed'));
    const messages = attacked.told.length;
    await put({ ...record, action: 'revoked', locale: 'fr' });
    await eventually(() => expect(attacked.told.length).toBeGreaterThan(messages));
  });

  test('a record that has its hash, but another user’s key or a time of another form, is an alarm at once', async () => {
    const [owner, other] = [randomUUID(), randomUUID()];
    const [record] = historyOf(1, owner, 'marketing', { from: Date.now() });
    const misplaced = { userAgreement: `${other}#marketing`, ...record };
    const recordedAt = new Date(Date.now() + 14 * 3_600_000).toISOString().replace('Z', '+14:00');
    const unsealed = { ...record, recordedAt };
    const late = { userAgreement: `${owner}#marketing`, ...unsealed, hash: hashOf(unsealed) };
    for (const Item of [misplaced, late]) {
      attacked.told.length = 0;
      const TransactItems = [{ Put: { TableName: attacked.table('ConsentRecords'), Item } }];
      await attacked.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems }));
      await eventually(() => expect(attacked.told.join()).toContain('not-a-record'));
    }
    expect(about(await attacked.verify(), other)).toContain('record-misplaced');
    expect(about(await attacked.verify(), owner)).toContain('record-malformed');
  });

  test('the daily check finds it with rights that change nothing, and tells people', async () => {
    const userId = randomUUID();
    const chain = historyOf(2, userId, 'marketing', { from: Date.now() });
    await plant('agree', chain);
    const Item = { userAgreement: `${userId}#marketing`, ...chain[0], locale: 'fr' };
    const TransactItems = [{ Put: { TableName: attacked.table('ConsentRecords'), Item } }];
    await attacked.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems }));
    // An expiry without any tombstone, too, which whoever watches cannot read.
    const expiry = { UpdateExpression: 'SET expiresAt = :at', ExpressionAttributeValues: { ':at': 4_000_000_000 } };
    const Key = { userAgreement: `${userId}#marketing`, recordedAt: chain[1]?.recordedAt };
    await attacked
      .as('release-consents')
      .dynamo.send(new UpdateCommand({ TableName: attacked.table('ConsentRecords'), Key, ...expiry }));
    await eventually(() => expect(attacked.told.join()).toContain('expires-unreleased'));
    attacked.told.length = 0;
    attacked.log.length = 0;
    await attacked.stage().runSchedule('check-ledger');
    expect(attacked.log.join()).toMatch(/"ledgerFindings":[1-9]/);
    expect(attacked.told.join()).toContain('record-altered');
    const { dynamo } = attacked.as('check-ledger');
    await expect(dynamo.send(new TransactWriteCommand({ TransactItems }))).rejects.toThrow('not authorized');
  });
});

test('no number and no key that two roles can put ends the check, the watching or a history', async () => {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
  const history = () => call('GET', '/users/agreements/marketing/history');
  const { body } = await history();
  const TableName = attacked.table('ConsentRecords');
  const userAgreement = `${userId}#marketing`;
  const huge = NumberValue.from('100000000000000000000.5');
  const expire = (Key: object) =>
    attacked.as('release-consents').dynamo.send(
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
  await attacked.as('release-consents').dynamo.send(
    new UpdateCommand({
      TableName,
      Key: long,
      UpdateExpression: 'SET expiresAt = :at',
      ExpressionAttributeValues: { ':at': 4e9 },
    }),
  );
  const Item = { userAgreement, ...body.items[0], recordedAt: new Date().toISOString(), sequence: huge };
  await attacked.as('agree').dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item } }] }));
  expect(await history()).toMatchObject({ status: 200, body });
  await attacked.stage().runSchedule('write-checkpoint');
  const found = await attacked.verify();
  expect(about(found, userId)).toEqual(expect.arrayContaining(['record-expires', 'record-malformed']));
  expect(about(found, 'x'.repeat(1500))).toEqual(['row-planted']);
  attacked.log.length = 0;
  attacked.told.length = 0;
  await attacked.stage().runSchedule('check-ledger');
  expect(attacked.told.join()).toContain('record-malformed');
  // The stream goes on behind all of it.
  const next = randomUUID();
  await plant('agree', historyOf(1, next, 'marketing', { from: Date.now(), source: 'imported' }));
  await eventually(() => expect(attacked.log.join()).toContain('"imported"'));
});

describe('tombstones', () => {
  const statementOf = (userId: string, last: ConsentRecord) => ({
    userId,
    chains: [{ agreementId: 'marketing', records: 1, lastSequence: 1, lastHash: last.hash }],
    releasedAt: new Date(Date.now() - 1000).toISOString(),
  });

  test('the role that writes checkpoints can neither sign one nor lay it', async () => {
    const { kms, s3 } = attacked.as('write-checkpoint');
    await expect(signCompact(kms, attacked.output('TombstoneKeyArn'), {}, tombstoneType)).rejects.toThrow(
      'not authorized',
    );
    const put = { Bucket: attacked.bucket(), Key: tombstoneKey('u'), Body: 'x', IfNoneMatch: '*' };
    await expect(s3.send(new PutObjectCommand(put))).rejects.toThrow();
  });

  test('the role that releases can, and it excuses nothing without the beginning of an erasure, which it cannot lay', async () => {
    const userId = randomUUID();
    const chain = historyOf(1, userId, 'marketing', { from: Date.now() });
    await plant('agree', chain);
    await attacked.stage().runSchedule('write-checkpoint');
    const { kms, s3 } = attacked.as('release-consents');
    const statement = statementOf(userId, chain[0] as ConsentRecord);
    const Body = await signCompact(kms, attacked.output('TombstoneKeyArn'), statement, tombstoneType);
    const at = { Bucket: attacked.bucket(), IfNoneMatch: '*' };
    await s3.send(new PutObjectCommand({ ...at, Key: tombstoneKey(userId), Body }));
    await expect(s3.send(new PutObjectCommand({ ...at, Key: begunKey(userId, 'x'), Body: '{}' }))).rejects.toThrow();
    const Key = { userAgreement: `${userId}#marketing`, recordedAt: chain[0]?.recordedAt };
    const expiry = { UpdateExpression: 'SET expiresAt = :at', ExpressionAttributeValues: { ':at': 4_000_000_000 } };
    const { dynamo } = attacked.as('release-consents');
    await dynamo.send(new UpdateCommand({ TableName: attacked.table('ConsentRecords'), Key, ...expiry }));
    expect(about(await attacked.verify({ retentionYears: 0 }), userId)).toEqual([
      'record-expires',
      'tombstone-contradicted',
    ]);
  });

  test('its updates make rows that have only keys: they are recognised, and become nobody’s last record', async () => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
    for (const more of [
      { UpdateExpression: 'SET expiresAt = :at', ExpressionAttributeValues: { ':at': 4_000_000_000 } },
      {},
    ]) {
      const Key = {
        userAgreement: `${userId}#marketing`,
        recordedAt: `2999-01-01T00:00:00.00${'at' in more ? 1 : 0}Z`,
      };
      await attacked
        .as('release-consents')
        .dynamo.send(new UpdateCommand({ TableName: attacked.table('ConsentRecords'), Key, ...more }));
    }
    expect(about(await attacked.verify(), userId)).toEqual(['row-planted']);
    const { body } = await call('GET', '/users/agreements/marketing/state');
    expect(body).toMatchObject({ agreed: true, record: { sequence: 1 } });
    expect((await call('GET', '/users/agreements/marketing/history')).body.items).toHaveLength(1);
  });
});
