import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deployments } from '../../lib/contract/deployments.ts';
import { type RunningStage, startStage } from '../../lib/local/stage.ts';

/** Two broadcasts at once to 1,000 members, while the process that posts is ended by SIGKILL again and again. */

const members = 1000;
/** Transactions of the posting function between two kills. */
const callsBetweenKills = 350;
const mostKills = 5;

let stage: RunningStage;
let client: DynamoDBDocumentClient;
let [calls, kills, receivedAgain] = [0, 0, false];

beforeAll(async () => {
  stage = await startStage({
    rateLimit: false,
    initWork: false,
    intercept: {
      dynamodb: ({ action, input }) => {
        if (action !== 'TransactWriteItems' || !JSON.stringify(input).includes('GroupMessageDeliveries'))
          return undefined;
        calls += 1;
        if (calls % callsBetweenKills === 0 && kills < mostKills && killPosting()) kills += 1;
        return undefined;
      },
    },
  });
  const { endpoint, region, credentials } = stage.data;
  client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
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

async function asAdmin() {
  const query = new URLSearchParams({ user: randomUUID(), roles: 'admin', application: 'medinfo' });
  const token = await (await fetch(`${stage.url}/_local/token?${query}`)).text();
  return async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${stage.url}${deployments.medinfo.basePath}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about.
    return (await answer.json()) as any;
  };
}

test.runIf(process.platform === 'linux')('each member gets each message once, whatever is killed', async () => {
  const admin = await asAdmin();
  const { groupId } = await admin('POST', '/groups', { name: 'Thousand', kind: 'patients' });
  const userIds = Array.from({ length: members }, () => randomUUID());
  for (let from = 0; from < members; from += 25) {
    const puts = userIds.slice(from, from + 25).map((userId) => ({
      PutRequest: { Item: { groupId, userId, since: '2026-01-01T00:00:00.000Z' } },
    }));
    await client.send(new BatchWriteCommand({ RequestItems: { [stage.data.tables('GroupMembers')]: puts } }));
  }
  const messages = `/groups/${groupId}/messages`;
  const sent = await Promise.all(
    ['One', 'Two'].map((title) => admin('POST', messages, { purpose: 'service', title, body: 'Text' })),
  );
  await stage.idle(async () => {
    receivedAgain = true;
    stage.queues.elapse(60_000);
  });
  expect([kills, receivedAgain]).toEqual([mostKills, true]);
  for (const { broadcastId } of sent) {
    const done = await admin('GET', `${messages}/${broadcastId}`);
    expect(done).toMatchObject({ status: 'done', total: members, posted: members, failed: 0, skipped: 0 });
  }
  const boards = new Map<string, string[]>();
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const TableName = stage.data.tables('AgentBoardMessages');
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey }));
    for (const { userId, messageId, title } of page.Items ?? []) {
      if (messageId !== '~board') boards.set(userId, [...(boards.get(userId) ?? []), title].toSorted());
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  expect(Object.fromEntries(boards)).toEqual(Object.fromEntries(userIds.map((userId) => [userId, ['One', 'Two']])));
  expect(stage.queues.named('GroupMessageQueueDeadLetters').messages()).toEqual([]);
});
