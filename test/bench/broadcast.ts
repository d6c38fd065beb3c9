import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { prices } from '../../bin/capacity/prices.ts';
import { startStage } from '../../bin/stage.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { doerAt } from '../caller-at.ts';
import type { Section } from './report.ts';

/**
 * A message to a large group on a whole local stage: how many members a second, what DynamoDB counts for it, and how long a
 * message to a small group takes that is sent a moment later.
 */

const smallMembers = 10;
const longestMs = 1_200_000;
const since = '2026-01-01T00:00:00.000Z';

type Counted = { requests: number; read: number; write: number };

export async function broadcast({ members }: { readonly members: number }): Promise<Section> {
  const counted: Counted = { requests: 0, read: 0, write: 0 };
  let posting = '';
  const stage = await startStage({
    rateLimit: false,
    initWork: false,
    onLog: () => undefined,
    onConsumed: ({ action, accessKeyId }, consumed) => {
      if (accessKeyId !== posting) return;
      counted.requests += 1;
      const isRead = /^(Get|Query|BatchGet|TransactGet)/.test(action);
      for (const { CapacityUnits } of consumed) counted[isRead ? 'read' : 'write'] += CapacityUnits;
    },
  });
  const { endpoint, region, credentials } = stage.data;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  try {
    const found = stage.model().functions.find(({ operation }) => operation === 'post-group-messages');
    if (!found) throw new Error('there is no function that posts');
    const admin = await administrator(stage);
    const [large, small] = [await groupOf(members), await groupOf(smallMembers)];
    // Starts the functions' processes.
    await done(await send(small));
    posting = credentialsOf(found).accessKeyId;
    const began = performance.now();
    const sent = await send(large);
    await sleep(3000);
    const [largeMs, smallMs] = await Promise.all([
      done(sent).then(() => performance.now() - began),
      timed(async () => done(await send(small))),
    ]);
    const all = members + smallMembers;
    const of = (number: number) => (number / all).toFixed(2);
    const dollars = (counted.read * prices.readPerMillion + counted.write * prices.writePerMillion) / 1e6;
    return {
      title: 'A message to a group',
      text: `To ${members} members without phones, on a local stage, by two functions with five members each at a time. A message to a group of ${smallMembers} that is sent three seconds later is delivered after ${(smallMs / 1000).toFixed(1)} s.`,
      tables: [
        {
          head: ['of the large one', ''],
          rows: [
            ['time', `${(largeMs / 1000).toFixed(0)} s`],
            ['rate', `${(members / (largeMs / 1000)).toFixed(0)} members a second`],
            ['calls to DynamoDB, for each member', of(counted.requests)],
            ['read units, for each member', of(counted.read)],
            ['write units, for each member', of(counted.write)],
            [`DynamoDB’s price of ${all} members`, `${dollars.toFixed(3)} USD`],
          ],
        },
      ],
    };

    async function groupOf(count: number): Promise<string> {
      const { groupId } = await admin('POST', '/groups', { name: `Of ${count}`, kind: 'patients' });
      for (let from = 0; from < count; from += 25) {
        const puts = Array.from({ length: Math.min(25, count - from) }, () => ({
          PutRequest: { Item: { groupId, userId: randomUUID(), since } },
        }));
        await client.send(new BatchWriteCommand({ RequestItems: { [stage.data.tables('GroupMembers')]: puts } }));
      }
      return groupId;
    }

    async function send(groupId: string): Promise<string> {
      const messages = `/groups/${groupId}/messages`;
      const said = { purpose: 'service', title: 'A new page', body: 'x'.repeat(500) };
      return `${messages}/${(await admin('POST', messages, said)).broadcastId}`;
    }

    async function done(path: string): Promise<void> {
      const end = performance.now() + longestMs;
      while (performance.now() < end) {
        const { status, total, posted } = await admin('GET', path);
        if (status === 'done' && posted === total) return;
        if (status === 'done') throw new Error(`${posted} of ${total} members`);
        await sleep(200);
      }
      throw new Error('it is not through');
    }
  } finally {
    client.destroy();
    await stage.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const administrator = (stage: RunningStage) => doerAt(stage, { user: 'bench', roles: 'admin', application: 'medinfo' });
