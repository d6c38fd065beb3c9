import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { startStage } from '../../bin/stage.ts';
import { mostDevices } from '../../functions/devices/rules/device.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { doerAt } from '../caller-at.ts';
import { idOf } from './delivery.ts';
import type { Section } from './report.ts';
import { quantile } from './statistics.ts';

/**
 * One user with the maximum number of devices and as many messages as one caller can post, beside a thousand others:
 * how long the others wait for their pushes, without and with that user.
 */

const others = 1000;
/** Of the others, all together. */
const everyMs = 100;
/** A hundred a minute: the limit of an address. */
const busyEveryMs = 600;
const longestMs = 60_000;

export async function fairness(effort: { readonly seconds: number; readonly others?: number }): Promise<Section> {
  const stage = await startStage({ rateLimit: false, onLog: () => undefined });
  const { endpoint, region, credentials } = stage.data;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  try {
    const people = await mapWithConcurrency(
      Array.from({ length: effort.others ?? others }, () => randomUUID()),
      8,
      async (user) => {
        await register(stage, user, 1);
        return user;
      },
    );
    const busy = randomUUID();
    await register(stage, busy, mostDevices);
    const tell = teller(stage, client);
    // Starts the functions' processes.
    await tell(people, 2, everyMs);
    const count = (effort.seconds * 1000) / everyMs;
    const alone = await tell(people, count, everyMs);
    const [beside] = await Promise.all([
      tell(people, count, everyMs),
      tell([busy], (effort.seconds * 1000) / busyEveryMs, busyEveryMs),
    ]);
    const [p99, p99Beside] = [quantile(alone, 0.99), quantile(beside, 0.99)];
    const row = (what: string, times: readonly number[]) => [
      what,
      `${quantile(times, 0.5)}`,
      `${quantile(times, 0.99)}`,
    ];
    return {
      title: 'One user among others',
      text: `Pushes to ${people.length} users, ten messages a second, from write to publish: without and with one more user, who has ${mostDevices} devices and gets a hundred messages a minute. The p99 is ${(p99Beside / p99).toFixed(2)} times the p99 without that user.`,
      tables: [
        {
          head: ['these users', 'p50 (ms)', 'p99 (ms)'],
          rows: [row('without the other user', alone), row('with the other user', beside)],
        },
      ],
    };
  } finally {
    client.destroy();
    await stage.close();
  }
}

async function register(stage: RunningStage, user: string, devices: number): Promise<void> {
  const call = await doerAt(stage, { user });
  const phone = { platform: 'android', environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };
  for (let index = 0; index < devices; index += 1) {
    await call('PUT', `/users/me/devices/phone-${index}`, { ...phone, token: `phone-${randomUUID()}` });
  }
}

/** Writes messages as the agent board does, without the board's own row. @returns milliseconds until each was published */
function teller({ data, sns }: RunningStage, client: DynamoDBDocumentClient) {
  const published = new Map<string, number>();
  sns?.onPush((push) => {
    const id = idOf(push);
    if (!published.has(id)) published.set(id, performance.now());
  });
  return async (people: readonly string[], count: number, pauseMs: number): Promise<number[]> => {
    const written = new Map<string, number>();
    for (let index = 0; index < count; index += 1) {
      const [messageId, userId] = [randomUUID(), people[Math.floor(Math.random() * people.length)]];
      const event = { eventId: messageId, unreadCountAfter: index, boardRevision: 1000 + index };
      written.set(messageId, performance.now());
      const Item = { userId, messageId, readAt: null, ...event };
      await client.send(new PutCommand({ TableName: data.tables('AgentBoardMessages'), Item }));
      await sleep(pauseMs);
    }
    const began = performance.now();
    while ([...written.keys()].some((id) => !published.has(id)) && performance.now() - began < longestMs)
      await sleep(50);
    return [...written].map(([id, at]) => Math.round((published.get(id) ?? Number.POSITIVE_INFINITY) - at));
  };
}
