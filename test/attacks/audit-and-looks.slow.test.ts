import { randomUUID } from 'node:crypto';
import {
  BatchExecuteStatementCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
} from '@aws-sdk/client-dynamodb';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { lookExpiry, lookIdAt } from '../../functions/access/data-subject.ts';
import { auditEvent } from '../../functions/audit/rules/audit-event.ts';
import { restoreRows } from '../../functions/evidence/jobs/restore-rows.ts';
import type { Application } from '../../lib/contract/register.ts';
import { eventually } from '../eventually.ts';
import { partition } from '../partition.ts';
import { attackedStage } from './attacked-stage.ts';

/** Audit events and the access log, attacked with the rights of one function that appends to them. */

const attacked = attackedStage();
const denied = 'not authorized';
const hourMs = 3_600_000;

type Row = Record<string, unknown>;

const tables = {
  AuditEvents: {
    /** One of those that may append. */
    operation: 'put-group-member',
    keys: ['application', 'eventId'],
    watcher: 'watch-audit-events',
    metric: 'auditEventsTamperedWith',
    subject: 'docs/runbook.md#audit-events-tampered-with',
    /** Of the seed. */
    honest: async (): Promise<Row> => {
      const [kept = {}] = await partition(attacked.owner().dynamo, attacked.table('AuditEvents'), {
        application: 'medinfo',
      });
      return kept;
    },
    forged: (at: Date): Row => {
      const said = { application: 'medinfo', actor: 'nobody', subject: 'group/1', requestId: 'r' };
      const action = { name: 'group.created' } as Parameters<typeof auditEvent>[0]['action'];
      const event = { ...said, action, before: null, after: null, realNow: at, random: randomUUID() };
      return { ...auditEvent(event), action: action.name };
    },
  },
  AccessLog: {
    operation: 'list-sign-ins-of-user',
    keys: ['userId', 'lookId'],
    watcher: 'watch-access-log',
    metric: 'accessLogTamperedWith',
    subject: 'docs/runbook.md#access-log-tampered-with',
    honest: async (): Promise<Row> => {
      const userId = randomUUID();
      const patient = await attacked.caller(userId);
      expect((await patient('GET', '/users/me')).status).toBe(200);
      const admin = await attacked.caller(randomUUID(), 'admin', 'medinfo');
      expect((await admin('GET', `/users/${userId}/sign-ins`)).status).toBe(200);
      const [kept = {}] = await partition(attacked.owner().dynamo, attacked.table('AccessLog'), { userId });
      return kept;
    },
    forged: (at: Date): Row => ({
      ...{ userId: randomUUID(), lookId: `${lookIdAt(at.toISOString())}0123456789abcdef`, at: at.toISOString() },
      ...{ by: 'nobody', name: null, roles: ['admin'], siteId: null, relation: null, action: 'GET /users' },
      ...{ agreementId: null, consentRecordId: null, requestId: 'r', expiresAt: lookExpiry(at) },
    }),
  },
} as const;

test.each(['', 'x'.repeat(3000)])('a look of the site "%.4s" keeps no patient from the access log', async (siteId) => {
  const userId = randomUUID();
  const look = tables.AccessLog.forged(new Date());
  const Item = { ...look, userId, siteId };
  const TransactItems = [{ Put: { TableName: attacked.table('AccessLog'), Item } }];
  await attacked.as('list-sign-ins-of-user', 'medinfo').dynamo.send(new TransactWriteCommand({ TransactItems }));
  const { status, body } = await (await attacked.caller(userId))('GET', '/users/me/access-log');
  expect(status).toBe(200);
  expect(body.items).toMatchObject([{ lookId: look.lookId, site: null }]);
});

const bodyOf = async (key: string) => {
  const { Body } = await attacked.owner().s3.send(new GetObjectCommand({ Bucket: attacked.bucket(), Key: key }));
  return JSON.parse((await Body?.transformToString()) ?? '');
};

describe.each(Object.entries(tables))('%s', (name, { operation, keys, watcher, metric, subject, honest, forged }) => {
  let row: Row;
  let Key: Row;
  beforeAll(async () => {
    row = await honest();
    Key = Object.fromEntries(keys.map((key) => [key, row[key]]));
  });
  const TableName = () => attacked.table(name);
  const attacker = () => attacked.as(operation, 'medinfo').dynamo;
  const commit = (item: object) => attacker().send(new TransactWriteCommand({ TransactItems: [item] }));
  const put = (Item: Row, more: object = {}) => commit({ Put: { TableName: TableName(), Item, ...more } });

  test('what honest functions write is no finding', async () => {
    expect(row).toHaveProperty('requestId');
    await eventually(() => expect(attacked.log.some((line) => line.startsWith(`${watcher} `))).toBe(true));
    await attacked.stage().idle();
    expect(attacked.log.filter((line) => line.includes(metric))).toEqual([]);
    expect(attacked.told.filter((text) => text.includes(subject))).toEqual([]);
  });

  test('each attack with the rights of one function is told within a minute, and the old row is kept', async () => {
    const attacks: [string, Row][] = [
      ['changed', { ...row, requestId: 'another' }],
      ['backdated', forged(new Date(Date.now() - hourMs))],
      ['postdated', forged(new Date(Date.now() + hourMs))],
      ['not-a-row', { ...Key, [keys[1]]: randomUUID() }],
      ...(name === 'AccessLog'
        ? ([
            ['changed', { ...row, expiresAt: 1 }],
            ['not-a-row', { ...forged(new Date()), siteId: '' }],
            ['not-a-row', { ...forged(new Date()), siteId: 'x'.repeat(3000) }],
            ['wrong-expiry', { ...forged(new Date()), expiresAt: Math.floor(Date.now() / 1000) + 60 }],
          ] satisfies [string, Row][])
        : []),
    ];
    for (const [suspicion, item] of attacks) {
      attacked.log.length = 0;
      attacked.told.length = 0;
      const began = performance.now();
      await put(item);
      await eventually(() => expect(attacked.told.join()).toContain(` ${suspicion}: `));
      const seconds = (performance.now() - began) / 1000;
      console.log(`${name}, ${suspicion}: told after ${seconds.toFixed(2)} s`);
      expect(seconds).toBeLessThan(60);
      expect(attacked.told.join()).toContain(subject);
      const line = attacked.log.find((one) => one.includes(`"${metric}":1`)) ?? '';
      const said = JSON.parse(line.slice(line.indexOf('{')));
      expect(said).toMatchObject({ [metric]: 1, application: 'medinfo', suspicion });
      const [{ before, after }] = (await bodyOf(said.object)).changes;
      expect(after[keys[1]]).toEqual({ S: item[keys[1]] });
      if (suspicion === 'changed') expect(before.requestId.S).not.toBe('r');
      else expect(before).toBe(null);
    }
    // The template lets nobody delete: this is what somebody does who has changed the table's policy.
    attacked.told.length = 0;
    await attacked.owner().dynamo.send(new DeleteCommand({ TableName: TableName(), Key }));
    await eventually(() => expect(attacked.told.join()).toContain(' removed: '));
  });

  test('no other call changes, removes or reads a row with those rights', async () => {
    const [partition, sort] = keys;
    const names = { '#r': 'requestId' };
    const values = { ':r': 'another' };
    const update = {
      ...{ TableName: TableName(), Key, UpdateExpression: 'SET #r = :r' },
      ...{ ExpressionAttributeNames: names, ExpressionAttributeValues: values },
    };
    const expiry = { ...update, ExpressionAttributeNames: { '#r': 'expiresAt' } };
    const where = `${partition}='${row[partition]}' AND ${sort}='${row[sort]}'`;
    const statements = [
      `UPDATE "${TableName()}" SET requestId='another' WHERE ${where}`,
      `DELETE FROM "${TableName()}" WHERE ${where}`,
      `INSERT INTO "${TableName()}" VALUE {'${partition}':'x','${sort}':'y'}`,
    ];
    const changes = [
      new UpdateCommand(update),
      new UpdateCommand(expiry),
      // Without an expression no attribute but the key is named, and a row that is missing is made.
      new UpdateCommand({ TableName: TableName(), Key: { [partition]: 'x', [sort]: 'y' } }),
      new UpdateCommand({ ...update, ReturnValues: 'ALL_OLD' }),
      new TransactWriteCommand({ TransactItems: [{ Update: update }] }),
      new DeleteCommand({ TableName: TableName(), Key }),
      new DeleteCommand({ TableName: TableName(), Key, ReturnValues: 'ALL_OLD' }),
      new TransactWriteCommand({ TransactItems: [{ Delete: { TableName: TableName(), Key } }] }),
      new PutCommand({ TableName: TableName(), Item: row }),
      new PutCommand({ TableName: TableName(), Item: row, ReturnValues: 'ALL_OLD' }),
      new TransactWriteCommand({ TransactItems: [{ Put: { TableName: TableName(), Item: { ...row, more: 1 } } }] }),
      new BatchWriteCommand({ RequestItems: { [TableName()]: [{ PutRequest: { Item: row } }] } }),
      new BatchWriteCommand({ RequestItems: { [TableName()]: [{ DeleteRequest: { Key } }] } }),
      ...statements.flatMap((Statement) => [
        new ExecuteStatementCommand({ Statement }),
        new BatchExecuteStatementCommand({ Statements: [{ Statement }] }),
        new ExecuteTransactionCommand({ TransactStatements: [{ Statement }] }),
      ]),
    ];
    const reads = [
      new GetCommand({ TableName: TableName(), Key }),
      new BatchGetCommand({ RequestItems: { [TableName()]: { Keys: [Key] } } }),
      new ScanCommand({ TableName: TableName() }),
      new ExecuteStatementCommand({ Statement: `SELECT * FROM "${TableName()}" WHERE ${where}` }),
      new QueryCommand({
        ...{ TableName: TableName(), KeyConditionExpression: '#p = :p' },
        ...{ ExpressionAttributeNames: { '#p': partition }, ExpressionAttributeValues: { ':p': row[partition] } },
      }),
    ];
    const send = (client: ReturnType<typeof attacker>, command: unknown) => client.send(command as PutCommand);
    for (const command of [...changes, ...reads]) {
      await expect(send(attacker(), command), JSON.stringify(command.input)).rejects.toThrow(denied);
    }
  });

  // That none may do anything else is in every-table.slow.test.ts, for one role of each access.
  test('of the roles of all functions, those that append may put a row', async () => {
    await attacked.owner().dynamo.send(new PutCommand({ TableName: TableName(), Item: row }));
    const putting: string[] = [];
    for (const { operation: name, environment } of attacked.stage().model().functions) {
      if (!name) continue;
      const { dynamo } = attacked.as(name, environment.APPLICATION as Application);
      const isDone = (command: unknown) =>
        dynamo.send(command as PutCommand).then(
          () => true,
          (error: Error) => {
            if (!error.message.includes(denied)) throw error;
            return false;
          },
        );
      // The same row: no change of the table.
      if (await isDone(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: TableName(), Item: row } }] })))
        putting.push(`${name} of ${environment.APPLICATION}`);
    }
    console.log(`${name}: ${putting.length} roles may put a row`);
    expect(putting.length).toBeGreaterThan(50);
  });

  test('an operator puts back the row as it was, if it still is as the attack left it', async () => {
    const current = async () =>
      (await attacked.owner().dynamo.send(new GetCommand({ TableName: TableName(), Key }))).Item;
    const attack = async (item: Row) => {
      attacked.log.length = 0;
      await put(item);
      const line = await eventually(() => {
        const found = attacked.log.find((one) => one.includes(`"${metric}":1`));
        expect(found).toBeDefined();
        return found ?? '';
      });
      return JSON.parse(line.slice(line.indexOf('{'))).object as string;
    };
    await put(row);
    await attacked.stage().idle();
    const { requestId: _, ...rest } = row;
    const first = await attack({ ...rest, requestId: 'forged', at: 'x' });
    const second = await attack({ ...rest, at: 'x' });
    const { s3, dynamo } = attacked.owner();
    const place = { dynamo, evidence: { s3, bucket: attacked.bucket() }, table: TableName(), keys, isTrial: false };
    const named = `${row[keys[0]]} ${row[keys[1]]}`;
    expect(await restoreRows({ ...place, isTrial: true }, second)).toEqual([`${named}: would be put back`]);
    expect(await restoreRows(place, first)).toEqual([`${named}: is no longer as this object says; it stays as it is`]);
    expect(await restoreRows(place, second)).toEqual([`${named}: is put back`]);
    expect(await current()).toMatchObject({ requestId: 'forged' });
    expect(await restoreRows(place, first)).toEqual([`${named}: is put back`]);
    expect(await current()).toEqual(row);
  });

  /** No condition of IAM is about `ReturnValuesOnConditionCheckFailure`: decision 64 says so. */
  test('a failed condition shows a row to those who know its whole key, which is open', async () => {
    const shown = put(row, {
      ConditionExpression: `attribute_not_exists(${keys[0]})`,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const reasons = await shown.catch((error: { CancellationReasons?: { Item?: Row }[] }) => error.CancellationReasons);
    expect(reasons).toMatchObject([{ Item: { requestId: expect.anything() } }]);
  });

  test('the watcher can neither write nor read the table, nor anything below another prefix', async () => {
    const { dynamo } = attacked.as(watcher, 'medinfo');
    const Put = { TableName: TableName(), Item: row };
    await expect(dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put }] }))).rejects.toThrow(denied);
    await expect(dynamo.send(new GetCommand({ TableName: TableName(), Key }))).rejects.toThrow(denied);
  });
});
