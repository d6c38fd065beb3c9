import { randomUUID } from 'node:crypto';
import { GetCommand, NumberValue, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../functions/questionnaire-responses/stores/response-rows.ts';
import { eventually } from '../eventually.ts';
import { partition } from '../partition.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { attackedStage } from './attacked-stage.ts';

/** A flag of self-harm, its answers and its urgent ticket, attacked with the rights of single functions. */

const attacked = attackedStage();
type Row = Record<string, unknown>;
type Items = NonNullable<ConstructorParameters<typeof TransactWriteCommand>[0]['TransactItems']>;

const safety = () => attacked.caller('safety', 'clinical-safety', 'medinfo');
async function listed(path: string, wanted: Row, id: string): Promise<Row | undefined> {
  const { status, body } = await (await safety())('GET', path);
  expect(status).toBe(200);
  return body.items.find((each: Row) => each[id] === wanted[id]);
}
const openFlag = (wanted: Row, id = 'flagId') => listed('/questionnaires/flags?limit=100', wanted, id);
const openTicket = (wanted: Row, id = 'ticketId') => listed('/crm/urgent-tickets?limit=100', wanted, id);

async function written(item9: number) {
  const userId = randomUUID();
  const me = await attacked.caller(userId);
  const responseId = randomUUID();
  const path = `/questionnaires/responses/${responseId}`;
  await me('PUT', path, { questionnaireId: 'phq-9', version: '1.1', answers: phq9(item9) });
  return { me, userId, responseId, path };
}

/** An open flag, and its ticket. */
async function flagged() {
  const { me, path, ...person } = await written(2);
  expect((await me('POST', `${path}/complete`)).status).toBe(200);
  const flag = (await openFlag(person, 'userId')) as Row;
  const ticket = await eventually(async () => {
    const found = (await openTicket(person, 'userId')) as Row;
    expect(found).toBeDefined();
    return found;
  });
  attacked.told.length = 0;
  return { ...person, flag, ticket };
}

async function rowsOf(table: string, part: string): Promise<Row[]> {
  return partition(attacked.owner().dynamo, attacked.table(table), { part });
}

async function openRow({ flagId }: Row): Promise<Row> {
  return (await rowsOf('QuestionnaireFlags', 'open')).find((row) => row.flagId === flagId) as Row;
}

async function write(operation: string, TransactItems: Items, application: 'sleepcare' | 'medinfo' = 'sleepcare') {
  await attacked.as(operation, application).dynamo.send(new TransactWriteCommand({ TransactItems }));
  return Date.now();
}
const put = (operation: string, table: string, Item: Row) =>
  write(operation, [{ Put: { TableName: attacked.table(table), Item } }]);

/** What was lost is there again, and people were told of the flag and of its ticket. */
async function isBack(attackedAt: number, back: () => Promise<void>, ...told: unknown[]) {
  await eventually(back);
  const backMs = Date.now() - attackedAt;
  await eventually(() => {
    for (const text of told) expect(attacked.told.join()).toContain(text);
  });
  const toldMs = Date.now() - attackedAt;
  console.log(`${expect.getState().currentTestName}: back after ${backMs} ms, told after ${toldMs} ms`);
  expect(toldMs).toBeLessThan(60_000);
}

const patients = ['complete-questionnaire-response', 'amend-questionnaire-response'];

describe.each(patients)('%s', (operation) => {
  test('writes a flag as acknowledged: it is open again, and its ticket never closes', async () => {
    const { userId, flag, ticket } = await flagged();
    const own = { part: `flag#${flag.flagId}`, name: 'flag' };
    const attackedAt = await put(operation, 'QuestionnaireFlags', {
      ...{ ...own, ...flag },
      ...{ acknowledgedAt: new Date().toISOString(), acknowledgedBy: 'nobody' },
    });
    const back = async () => expect(await rowsOf('QuestionnaireFlags', own.part)).toEqual([{ ...own, ...flag }]);
    await isBack(attackedAt, back, flag.flagId, ticket.ticketId, 'changed');
    expect(await openTicket(ticket)).toEqual(ticket);
    const [evidence] = await partition(attacked.owner().dynamo, attacked.table('QuestionnaireEvidence'), { userId });
    expect(evidence).toMatchObject({ userId, suspicion: 'changed', table: 'QuestionnaireFlags' });
    expect(JSON.parse(String(evidence?.before)).acknowledgedAt).toEqual({ NULL: true });
    expect(JSON.parse(String(evidence?.after)).acknowledgedBy).toEqual({ S: 'nobody' });
  });

  test('writes a row that nobody can read: the list has all others, and then this one', async () => {
    const [{ flag, ticket }, other] = [await flagged(), await flagged()];
    const row = await openRow(flag);
    const attackedAt = await put(operation, 'QuestionnaireFlags', {
      ...row,
      raisedAt: 'never',
      userId: 'x'.repeat(3000),
    });
    expect(await openFlag(other.flag)).toEqual(other.flag);
    await isBack(attackedAt, async () => expect(await openFlag(flag)).toEqual(flag), flag.flagId, ticket.ticketId);
  });

  test('puts a flag that was cleared on the open list again: it is taken off, so that the next one rings', async () => {
    const { flag, ticket } = await flagged();
    const row = await openRow(flag);
    const outcome = { outcome: 'cleared' };
    const call = await safety();
    expect((await call('POST', `/questionnaires/flags/${flag.flagId}/outcome`, outcome)).status).toBe(200);
    expect(await openFlag(flag)).toBeUndefined();
    const attackedAt = await put(operation, 'QuestionnaireFlags', row);
    const back = async () => expect(await openFlag(flag)).toBeUndefined();
    await isBack(attackedAt, back, flag.flagId, ticket.ticketId, 'planted, put back');
  });

  test.each(['FlagDecisions', 'UrgentTickets', 'QuestionnaireEvidence'])('writes nothing to %s', async (table) => {
    const at = new Date().toISOString();
    const row = {
      userId: 'u',
      decision: 'f#acknowledged',
      part: 'urgent#t',
      name: 'ticket',
      change: 'c',
      at,
      by: 'nobody',
    };
    await expect(put(operation, table, row)).rejects.toThrow('not authorized');
  });
});

describe('complete-questionnaire-response', () => {
  test('completes answers without their flag: it is written, and its ticket opened', async () => {
    const { userId, responseId } = await written(2);
    const TableName = attacked.table('QuestionnaireResponses');
    const Key = { userId, part: `response#${responseId}` };
    const { Item } = await attacked.owner().dynamo.send(new GetCommand({ TableName, Key }));
    const at = new Date().toISOString();
    attacked.told.length = 0;
    const attackedAt = await put('complete-questionnaire-response', 'QuestionnaireResponses', {
      ...{ ...Item, status: 'completed', completedAt: at, answersReceivedAt: at },
      ...{ scores: [], flags: [] },
    });
    const back = async () => {
      const flag = (await openFlag({ userId }, 'userId')) as Row;
      expect(flag).toMatchObject({ code: 'self-harm', responseId, raisedAt: at });
      expect(await openTicket({ userId }, 'userId')).toMatchObject({ flagId: flag.flagId });
    };
    await isBack(attackedAt, back, 'missing');
  });

  test('removes completed answers: they are put back', async () => {
    const { userId, responseId } = await flagged();
    const Key = { userId, part: `response#${responseId}` };
    const Delete = { TableName: attacked.table('QuestionnaireResponses'), Key };
    const { Item } = await attacked.owner().dynamo.send(new GetCommand(Delete));
    const attackedAt = await write('complete-questionnaire-response', [{ Delete }]);
    const back = async () => expect((await attacked.owner().dynamo.send(new GetCommand(Delete))).Item).toEqual(Item);
    await isBack(attackedAt, back, 'removed', responseId);
  });

  test('removes them from the lists, too: all are put back', async () => {
    const { userId, responseId } = await flagged();
    const TableName = attacked.table('QuestionnaireResponses');
    const { Item = {} } = await attacked
      .owner()
      .dynamo.send(new GetCommand({ TableName, Key: { userId, part: `response#${responseId}` } }));
    const parts = partsOf(Item as Parameters<typeof partsOf>[0]);
    const attackedAt = await write(
      'complete-questionnaire-response',
      parts.map((part) => ({ Delete: { TableName, Key: { userId, part } } })),
    );
    const back = async () => {
      for (const part of parts) {
        const found = await attacked.owner().dynamo.send(new GetCommand({ TableName, Key: { userId, part } }));
        expect(found.Item).toEqual({ ...Item, part });
      }
    };
    await isBack(attackedAt, back, 'removed', responseId);
  });

  test('changes completed answers: people are told, and the row as it was is kept', async () => {
    const { userId, responseId, flag } = await flagged();
    const Key = { userId, part: `response#${responseId}` };
    const TableName = attacked.table('QuestionnaireResponses');
    const { Item = {} } = await attacked.owner().dynamo.send(new GetCommand({ TableName, Key }));
    const attackedAt = await put('complete-questionnaire-response', 'QuestionnaireResponses', {
      ...Item,
      answers: phq9(0),
    });
    await isBack(attackedAt, async () => expect(await openFlag(flag)).toEqual(flag), 'changed', responseId);
  });

  test.each([
    ['says that answers were corrected', (row: Row) => ({ ...row, amendedBy: 'none' })],
    ['says that they were corrected to others', (row: Row) => ({ ...row, corrected: { responseId: 'x', scores: [] } })],
    [
      'lists answers that nobody completed',
      (row: Row) => ({ ...row, part: `at#${row.completedAt}#x`, responseId: 'x' }),
    ],
  ])('%s: people are told', async (_case, planted) => {
    const { userId, responseId, flag } = await flagged();
    const Key = { userId, part: `response#${responseId}` };
    const TableName = attacked.table('QuestionnaireResponses');
    const { Item = {} } = await attacked.owner().dynamo.send(new GetCommand({ TableName, Key }));
    const attackedAt = await put('complete-questionnaire-response', 'QuestionnaireResponses', planted(Item));
    await isBack(attackedAt, async () => expect(await openFlag(flag)).toEqual(flag), 'unconfirmed');
  });
});

describe('open-ticket', () => {
  test('neither takes an urgent ticket off a list nor writes one', async () => {
    const { ticket } = await flagged();
    const [row] = (await rowsOf('UrgentTickets', 'urgent-safety')).filter((each) => each.ticketId === ticket.ticketId);
    const TableName = attacked.table('UrgentTickets');
    const { part, name } = row as Row;
    const denied = 'not authorized';
    await expect(write('open-ticket', [{ Delete: { TableName, Key: { part, name } } }])).rejects.toThrow(denied);
    await expect(put('open-ticket', 'UrgentTickets', { ...row, raisedAt: 'never' })).rejects.toThrow(denied);
    expect(await openTicket(ticket)).toEqual(ticket);
  });
});

describe('acknowledge-urgent-ticket', () => {
  test('gives a ticket a site that is a number, in all its rows: people are told, and it holds up no other ticket', async () => {
    const { flag, ticket } = await flagged();
    const TableName = attacked.table('UrgentTickets');
    const id = String(ticket.ticketId);
    const Key = { part: `urgent#${id}`, name: 'ticket' };
    const { Item = {} } = await attacked.owner().dynamo.send(new GetCommand({ TableName, Key }));
    const digits = '123456789012345678901234567890';
    const put = (part: string, name: string) => ({
      Put: { TableName, Item: { ...Item, siteId: NumberValue.from(digits), part, name } },
    });
    const Delete = { TableName, Key: { part: 'urgent-safety', name: `${Item.raisedAt}#${id}` } };
    await write(
      'acknowledge-urgent-ticket',
      [
        put(Key.part, Key.name),
        put('urgent-safety', `${Item.dueAt}#${id}`),
        put(`urgent-site#${digits}`, `${Item.raisedAt}#${id}`),
        { Delete },
      ],
      'medinfo',
    );
    await attacked.stage().runSchedule('compare-flags');
    expect(attacked.told.join()).toContain(`urgent ticket ${id}: not right, and cannot be put right`);
    attacked.log.length = 0;
    const call = await safety();
    expect((await call('POST', `/questionnaires/flags/${flag.flagId}/acknowledge`)).status).toBe(200);
    const setAside = /^open-urgent-tickets .*"recordsSetAside":1/;
    await eventually(() => expect(attacked.log.some((line) => setAside.test(line))).toBe(true));
    await flagged();
    await attacked.stage().runSchedule('compare-flags');
  });
});

describe('a function that may acknowledge', () => {
  test('removes all rows of a flag without a decision: they are put back', async () => {
    const { userId, flag, ticket } = await flagged();
    const TableName = attacked.table('QuestionnaireFlags');
    const { part, name } = await openRow(flag);
    const keys = [
      { part: `flag#${flag.flagId}`, name: 'flag' },
      ...[{ part: String(part), name: String(name) }],
      ...[`user#${userId}`, `open#${userId}`].map((of) => ({ part: of, name: String(flag.flagId) })),
    ];
    const deletes = keys.map((Key) => ({ Delete: { TableName, Key } }));
    const attackedAt = await write('acknowledge-flag', deletes, 'medinfo');
    const back = async () => {
      expect(await openFlag(flag)).toEqual(flag);
      for (const key of keys)
        expect((await rowsOf('QuestionnaireFlags', key.part)).map((row) => row.name)).toContain(key.name);
    };
    await isBack(attackedAt, back, flag.flagId, ticket.ticketId, 'removed');
  });

  test('acknowledges and ends a flag: nobody is told of an attack', async () => {
    const { flag, ticket } = await flagged();
    const call = await safety();
    expect((await call('POST', `/questionnaires/flags/${flag.flagId}/acknowledge`)).status).toBe(200);
    await eventually(async () => expect(await openTicket(ticket)).toBeUndefined());
    const outcome = { outcome: 'cleared' };
    expect((await call('POST', `/questionnaires/flags/${flag.flagId}/outcome`, outcome)).status).toBe(200);
    for (const schedule of ['compare-flags', 'compare-all-flags']) await attacked.stage().runSchedule(schedule);
    expect(attacked.told.filter((text) => text.includes(String(flag.flagId)))).toEqual([]);
  });
});
