import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { partition } from '../partition.ts';
import { countCases, eventCases, findingCases, pushCases } from './deliveries.ts';
import { ledgerOf } from './ledger.ts';
import { asked, openStage, type Stage } from './stage.ts';

/** Whatever fails behind the answer, the answer was right: pushes, events and counts come late, none is lost, none is doubled. */

/** Of the watcher of the access log. */
const lines: string[] = [];
const note = (fn: { operation: string }, _id: string | null, line: string) => {
  if (fn.operation === 'watch-access-log') lines.push(line);
};
const stage = await openStage({ patience: 1, onLog: note });
afterAll(() => stage.close());

describe('a push', () => {
  test.each(pushCases)('$name', async ({ plan, by, atMost, isRedelivered }) => {
    const me = await stage.person();
    const token = `token-of-${me.userId}`;
    await asked(() => me.call('GET', '/users/me'));
    const phone = { platform: 'android', token, environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };
    await asked(() => me.call('PUT', '/users/me/devices/phone-1', phone));
    const { queues, sns, idle } = stage.stage;
    const endpoint = sns?.endpoints().find((each) => each.token === token)?.arn ?? '';
    const fault = stage.fail(plan, by === 'userId' ? me.userId : endpoint);
    const message = { title: 'Blood results', body: 'Private.' };
    const path = `/users/${me.userId}/agent-board/messages`;
    const { messageId } = await asked(() => stage.agent.call('POST', path, message));
    const got = () => sns?.pushes((push) => push.token === token) ?? [];
    let redeliveries = 0;
    await idle(() => {
      redeliveries += 1;
      queues.elapse(60_000);
    });
    expect(fault.met).toBe(plan.times);
    if (!isRedelivered) expect(redeliveries).toBe(0);
    stage.lift(fault);
    expect(got().length).toBeGreaterThan(0);
    expect(got().length).toBeLessThanOrEqual(atMost);
    for (const { request } of got()) expect(request.Message).toContain(messageId);
    expect(queues.named('PushQueueDeadLetters').messages()).toEqual([]);
  });
});

describe('an event of a consent', () => {
  test.each(eventCases)('$name', async ({ plan }) => {
    const me = await stage.person();
    const fault = stage.fail(plan, me.userId);
    await asked(() => me.call('POST', '/agreements/versions/marketing-1.0/agree'));
    await asked(() => me.call('DELETE', '/users/agreements/marketing/consent'));
    const { records, findings } = await ledgerOf(stage, me.userId);
    expect([records.length, findings]).toEqual([2, []]);
    const told = () => [...new Set(stage.stage.events().flatMap((each) => recordIn(each, me.userId)))];
    const wanted = records.map(({ recordId }) => recordId);
    await stage.stage.idle();
    expect(told()).toEqual(wanted);
    expect(fault.met).toBe(plan.times);
    stage.lift(fault);
  });

  /** At least once, in the order of the records: what a service sees twice has the same id. */
  function recordIn(each: ReturnType<Stage['stage']['events']>[number], userId: string): string[] {
    const { detail } = (each as { event?: { detail?: { userId?: string; recordId?: string } } }).event ?? {};
    return detail?.userId === userId && detail.recordId ? [detail.recordId] : [];
  }
});

describe('the count of a ticket', () => {
  const countOf = async (figure: string): Promise<number> => {
    const TableName = stage.stage.data.tables('OverviewFigures');
    const Key = { generation: '1', figure: `tickets#state#${figure}` };
    const { Item } = await stage.data.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    return Number(Item?.count ?? 0);
  };

  test.each(countCases)('$name', async ({ plan }) => {
    const me = await stage.person();
    await asked(() => me.call('GET', '/users/me'));
    const before = await countOf('new');
    // The counted thing's entry, which only the counter carries.
    const fault = stage.fail(plan, '1#tickets#');
    await asked(() => me.call('POST', '/support/tickets', { subject: 'Subject', body: 'Text' }));
    await stage.stage.idle();
    expect(fault.met).toBe(plan.times);
    stage.lift(fault);
    expect(await countOf('new')).toBe(before + 1);
  });
});

describe('a finding about the access log', () => {
  const rowsOf = (userId: string) => partition(stage.data, stage.stage.data.tables('AccessLog'), { userId });

  test.each(findingCases)('$name', async ({ plan }) => {
    const me = await stage.person();
    await asked(() => me.call('GET', '/users/me'));
    await asked(() => stage.admin.call('GET', `/users/${me.userId}/sign-ins`));
    await stage.stage.idle();
    const [look] = await rowsOf(me.userId);
    lines.length = 0;
    const fault = stage.fail(plan, 'access-log-');
    const Item = { ...look, requestId: 'forged' };
    const TransactItems = [{ Put: { TableName: stage.stage.data.tables('AccessLog'), Item } }];
    await stage.data.send(new TransactWriteCommand({ TransactItems }));
    await stage.stage.idle();
    expect(fault.met).toBe(plan.times);
    stage.lift(fault);
    // It may be counted twice, and is never lost: the batch is complete only when the row is kept and people are told.
    expect(lines.filter((line) => line.includes(String(look?.lookId))).length).toBeGreaterThan(0);
    expect(lines.at(-1)).toContain('"complete":true');
  });
});

test('nothing was given up on the way', () => {
  expect(stage.stage.streamFailures()).toEqual([]);
});
