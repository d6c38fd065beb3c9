import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, type DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStage } from '../../bin/stage.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { doerAt } from '../caller-at.ts';

/**
 * Three broadcasts at once to 1,000 members, while the process that posts is ended by SIGKILL again and again, people come and
 * go, one member cannot be posted to, and a message of the queue is of no form.
 */

const members = 1000;
/** Transactions of the posting function between two kills. */
const callsBetweenKills = 350;
const mostKills = 5;

let stage: RunningStage;
let client: DynamoDBDocumentClient;
let [calls, kills, receivedAgain] = [0, 0, false];
let unreachable = '';

beforeAll(async () => {
  // In processes, of which one can be killed.
  stage = await startStage({
    asDeployed: true,
    rateLimit: false,
    initWork: false,
    intercept: {
      dynamodb: ({ action, input }) => {
        const isUnreachable =
          unreachable !== '' && action === 'GetItem' && JSON.stringify(input.Key).includes(unreachable);
        if (isUnreachable && input.TableName === stage.data.tables('AgentBoardMessages')) return 'error';
        if (action !== 'TransactWriteItems' || !JSON.stringify(input).includes('GroupMessageDeliveries'))
          return undefined;
        calls += 1;
        if (calls % callsBetweenKills === 0 && kills < mostKills && killPosting()) kills += 1;
        return undefined;
      },
    },
  });
  const { endpoint, region, credentials } = stage.data;
  client = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
});
afterAll(async () => {
  client?.destroy();
  await stage?.close();
});

/** Ends the processes of this stage's posting function; they are this process's own children. */
function killPosting(): boolean {
  let isKilled = false;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [command, status] = ['cmdline', 'status'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
      const isOurs = status?.includes(`\nPPid:\t${process.pid}\n`) && command?.includes('PostGroupMessagesFunction');
      if (isOurs) isKilled = process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
  return isKilled;
}

const asAdmin = () => doerAt(stage, { roles: 'admin', application: 'medinfo' });

const said = (title: string) => ({ purpose: 'service', title, body: 'Text' });

/** Until nothing is under way any more; what failed comes again at once. */
const idle = () =>
  stage.idle(async () => {
    receivedAgain = true;
    stage.queues.elapse(60_000);
  });

/** The titles on each board. */
async function readBoards(): Promise<Record<string, string[]>> {
  const boards: Record<string, string[]> = {};
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const TableName = stage.data.tables('AgentBoardMessages');
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey }));
    for (const { userId, messageId, title } of page.Items ?? []) {
      if (messageId !== '~board') boards[userId] = [...(boards[userId] ?? []), title].toSorted();
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return boards;
}

test.runIf(process.platform === 'linux')('each member gets each message once, whatever is killed', async () => {
  const admin = await asAdmin();
  const { groupId } = await admin('POST', '/groups', { name: 'Thousand', kind: 'patients' });
  const messages = `/groups/${groupId}/messages`;
  const userIds = Array.from({ length: members }, () => randomUUID());
  for (let from = 0; from < members; from += 25) {
    const puts = userIds.slice(from, from + 25).map((userId) => ({
      PutRequest: { Item: { groupId, userId, since: '2026-01-01T00:00:00.000Z' } },
    }));
    await client.send(new BatchWriteCommand({ RequestItems: { [stage.data.tables('GroupMembers')]: puts } }));
  }
  // One who comes, and one who leaves and comes back, once two of three are accepted. Their ids are the last ones that are listed.
  const [leaving, coming] = [`zz${randomUUID()}`, `zz${randomUUID()}`] as const;
  for (const userId of [leaving, coming]) {
    const Item = { userId, part: 'profile', application: 'sleepcare' };
    await client.send(new PutCommand({ TableName: stage.data.tables('Users'), Item }));
  }
  await admin('PUT', `/groups/${groupId}/members/${leaving}`);
  const before = await Promise.all(['One', 'Two'].map((title) => admin('POST', messages, said(title))));
  await admin('DELETE', `/groups/${groupId}/members/${leaving}`);
  for (const userId of [leaving, coming]) await admin('PUT', `/groups/${groupId}/members/${userId}`);
  const after = await admin('POST', messages, said('Three'));
  await expect(admin('POST', messages, said('Four'))).rejects.toThrow('429');
  stage.queues.named('GroupMessageQueue').send('{"do":');
  let isOver = false;
  const samples = (async () => {
    let [taken, tooMany] = [0, 0];
    for (; !isOver; taken += 1) {
      // The progress first: what is posted meanwhile makes the boards more, and not it.
      const { items } = await admin('GET', messages);
      const titles = Object.values(await readBoards()).flat();
      for (const { title, total, posted, skipped, failed } of items) {
        const there = titles.filter((each) => each === title).length;
        if (posted > there || posted + skipped + failed > total || total > members + 2) tooMany += 1;
      }
    }
    return { taken, tooMany };
  })();
  await idle();
  isOver = true;
  const { taken, tooMany } = await samples;
  expect([taken > 5, tooMany]).toEqual([true, 0]);
  expect([kills, receivedAgain]).toEqual([mostKills, true]);
  for (const { broadcastId } of before) {
    const { status, total, posted, failed, skipped } = await admin('GET', `${messages}/${broadcastId}`);
    // Whoever left had been listed by then, or not.
    expect({ status, failed, posted, sum: posted + skipped }).toEqual({
      status: 'done',
      failed: 0,
      posted: members,
      sum: total,
    });
    expect(skipped).toBeLessThanOrEqual(1);
  }
  const all = { status: 'done', total: members + 2, posted: members + 2, failed: 0, skipped: 0 };
  expect(await admin('GET', `${messages}/${after.broadcastId}`)).toMatchObject(all);
  const boards = userIds.map((userId): [string, string[]] => [userId, ['One', 'Three', 'Two']]);
  expect(await readBoards()).toEqual(Object.fromEntries([...boards, [leaving, ['Three']], [coming, ['Three']]]));
  const deadLetters = stage.queues.named('GroupMessageQueueDeadLetters');
  expect(deadLetters.messages().map(({ body }) => body)).toEqual(['{"do":']);
});

test('whom it cannot be posted to is counted and a dead letter, and gets it when that is put back', async () => {
  const admin = await asAdmin();
  const { groupId } = await admin('POST', '/groups', { name: 'Ten', kind: 'patients' });
  const userIds = Array.from({ length: 10 }, () => randomUUID());
  const since = '2026-01-01T00:00:00.000Z';
  for (const userId of userIds) {
    await client.send(
      new PutCommand({ TableName: stage.data.tables('GroupMembers'), Item: { groupId, userId, since } }),
    );
  }
  unreachable = userIds[4] ?? '';
  const { broadcastId } = await admin('POST', `/groups/${groupId}/messages`, said('Late'));
  await idle();
  const message = () => admin('GET', `/groups/${groupId}/messages/${broadcastId}`);
  expect(await message()).toMatchObject({ status: 'done', total: 10, posted: 9, failed: 1, skipped: 0 });
  const dead = stage.queues
    .named('GroupMessageQueueDeadLetters')
    .messages()
    .map(({ body }) => body)
    .filter((body) => body.includes(broadcastId));
  expect(dead.map((body) => JSON.parse(body).do)).toEqual(['post']);
  unreachable = '';
  for (const body of dead) stage.queues.named('GroupMessageQueue').send(body);
  await idle();
  expect(await message()).toMatchObject({ status: 'done', total: 10, posted: 10, failed: 0, skipped: 0 });
  const boards = await readBoards();
  expect(userIds.map((userId) => boards[userId])).toEqual(userIds.map(() => ['Late']));
});
