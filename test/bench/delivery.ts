import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { startStage } from '../../bin/stage.ts';
import type { Push } from '../../lib/local/sns/sns.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { doerAt } from '../caller-at.ts';
import type { Section } from './report.ts';
import { quantile } from './statistics.ts';

/**
 * Delivery on a whole local stage. The time from write to publish is that of messages posted over HTTP, a few a second;
 * the rate is that of messages written into the table all at once, so that posting them costs nothing meanwhile.
 */

const users = 30;
const phonesEach = 2;
const paced = { messages: 50, everyMs: 100 };
const burst = { messages: 300 };
const parallel = 4;
/** For each of the two parts; after that the missing pushes are reported. */
const longestMs = 15_000;

export async function delivery(): Promise<Section> {
  /** When the write began, by the message's id. */
  const written = new Map<string, number>();
  const stage = await startStage({
    rateLimit: false,
    onLog: () => undefined,
    intercept: {
      dynamodb: ({ action, input }) => {
        if (action === 'TransactWriteItems') {
          const id = /"messageId":\{"S":"([^"~]+)"\}/.exec(JSON.stringify(input))?.[1];
          if (id) written.set(id, Date.now());
        }
        return undefined;
      },
    },
  });
  try {
    const people = await mapWithConcurrency(
      Array.from({ length: users }, () => randomUUID()),
      parallel,
      async (user) => {
        await register(stage, user);
        return user;
      },
    );
    const staff = await doerAt(stage, { user: 'staff', roles: 'agent', application: 'medinfo' });
    const post = async (index: number): Promise<string> =>
      (
        await staff('POST', `/users/${people[index % users]}/agent-board/messages`, {
          title: 'Blood results',
          body: 'Private.',
        })
      ).messageId;
    // Starts the functions' processes.
    const first = await Promise.all([post(0), post(1)]);
    await arrived(stage, new Set(first));

    const posting: Promise<string>[] = [];
    for (let index = 0; index < paced.messages; index += 1) {
      posting.push(post(index));
      await sleep(paced.everyMs);
    }
    const slow = await arrived(stage, new Set(await Promise.all(posting)));
    const times = slow.map((push) => Date.parse(push.time) - (written.get(idOf(push)) ?? Number.NaN));
    const fast = await arrived(stage, await writeAll(stage, people));
    const moments = fast.map(({ time }) => Date.parse(time));
    const seconds = (Math.max(...moments) - Math.min(...moments)) / 1000;

    const row = (what: string, got: number, wanted: number, said: string) => [
      what,
      got === wanted ? String(got) : `${got} of ${wanted}`,
      said,
    ];
    const said = `p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms`;
    const rate = `${((fast.length - 1) / seconds).toFixed(0)} pushes a second`;
    const pace = `write to publish, ${1000 / paced.everyMs} messages a second`;
    return {
      title: 'Delivery of pushes',
      text: 'On a local stage, with the second in which the stream’s batch is gathered.',
      tables: [
        {
          head: ['', 'pushes', ''],
          rows: [
            row(pace, slow.length, paced.messages * phonesEach, said),
            row(`rate, ${burst.messages} messages at once`, fast.length, burst.messages * phonesEach, rate),
          ],
        },
      ],
    };
  } finally {
    await stage.close();
  }
}

async function register(stage: RunningStage, user: string): Promise<void> {
  const call = await doerAt(stage, { user });
  await call('GET', '/users/me');
  const phone = { platform: 'android', environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };
  for (let index = 0; index < phonesEach; index += 1) {
    await call('PUT', `/users/me/devices/phone-${index}`, { ...phone, token: `phone-${randomUUID()}` });
  }
}

/** As the agent board writes them, without the board's own row. @returns their ids */
async function writeAll({ data }: RunningStage, people: readonly string[]): Promise<Set<string>> {
  const { endpoint, region, credentials } = data;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const TableName = data.tables('AgentBoardMessages');
  const items = Array.from({ length: burst.messages }, (_, index) => {
    const messageId = randomUUID();
    const event = { eventId: messageId, unreadCountAfter: index, boardRevision: 1000 + index };
    return { userId: people[index % users], messageId, readAt: null, ...event };
  });
  await Promise.all(items.map((Item) => client.send(new PutCommand({ TableName, Item }))));
  client.destroy();
  return new Set(items.map(({ messageId }) => messageId));
}

/** Their pushes, once all are there or it takes too long. */
async function arrived({ sns }: RunningStage, messages: ReadonlySet<string>): Promise<Push[]> {
  const found = () => sns?.pushes((push) => messages.has(idOf(push))) ?? [];
  const end = performance.now() + longestMs;
  while (found().length < messages.size * phonesEach && performance.now() < end) await sleep(50);
  return found();
}

/** Of the message that a push is about. */
export function idOf({ request }: Push): string {
  return JSON.parse(JSON.parse(request.Message).GCM).fcmV1Message.message.data.messageId ?? '';
}
