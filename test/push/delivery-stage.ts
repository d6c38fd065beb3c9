import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type StageOptions, startStage } from '../../bin/stage.ts';
import type { Application } from '../../lib/contract/register.ts';
import type { Call as DynamoCall, Fault } from '../../lib/local/dynamodb/front.ts';
import type { Fault as ServiceFault } from '../../lib/local/service/faults.ts';
import type { Push, SnsCall } from '../../lib/local/sns/sns.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { doerAt } from '../caller-at.ts';

/** A stage of the file's own: people, their phones, what these get, and faults on the way there. */

type Faults = {
  dynamo?: (call: DynamoCall) => Fault | undefined;
  sns?: (call: SnsCall) => ServiceFault | undefined;
};

export function pushStage(options: StageOptions = {}) {
  let stage: RunningStage;
  let staff: ReturnType<typeof signedIn> | undefined;
  const log: string[] = [];
  const faults: Faults = {};

  beforeAll(async () => {
    stage = await startStage({
      rateLimit: false,
      initWork: false,
      onLog: (fn, _id, line) => log.push(`${fn.operation} ${line}`),
      intercept: { dynamodb: (call) => faults.dynamo?.(call), sns: (call) => faults.sns?.(call) },
      onSourceProblem: (line) => log.push(line),
      ...options,
    });
  });
  beforeEach(() => {
    delete faults.dynamo;
    delete faults.sns;
    log.length = 0;
  });
  afterAll(async () => {
    await stage.close();
  });

  const signedIn = (user: string, roles: string, application: Application) =>
    doerAt(stage, { user, roles, application });

  /** A patient who has started the app on these phones. */
  async function patient(...tokens: string[]) {
    const userId = randomUUID();
    const call = await signedIn(userId, 'patient', 'sleepcare');
    await call('GET', '/users/me');
    const phone = { platform: 'android', environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };
    for (const [index, token] of tokens.entries()) {
      await call('PUT', `/users/me/devices/phone-${index}`, { ...phone, token });
    }
    return {
      userId,
      register: (index: number, token: string) => call('PUT', `/users/me/devices/phone-${index}`, { ...phone, token }),
      /** @returns the unread count */
      read: async (messageId: string): Promise<number> =>
        (await call('POST', `/agent-board/messages/${messageId}/read`)).unreadCount,
      readUpTo: async (upTo: string): Promise<number> =>
        (await call('POST', '/agent-board/messages/read', { upTo })).unreadCount,
      remove: async (messageId: string): Promise<number> =>
        (await call('DELETE', `/agent-board/messages/${messageId}`)).unreadCount,
      devices: async (): Promise<string[]> =>
        (await call('GET', '/users/me/devices')).items.map(({ status }: { status: string }) => status),
    };
  }

  /** Claims of senders that ended in the midst of it hold no longer than that, in milliseconds since 1970. */
  async function setLeases(until: number): Promise<void> {
    const { endpoint, region, credentials, tables } = stage.data;
    const client = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
    const TableName = tables('PushDeliveries');
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    for (const { delivery, status } of Items) {
      if (status !== 'claimed') continue;
      await client.send(
        new UpdateCommand({
          TableName,
          Key: { delivery },
          UpdateExpression: 'SET leaseUntil = :until',
          ExpressionAttributeValues: { ':until': until },
        }),
      );
    }
    client.destroy();
  }

  return {
    setLeases,
    /** Waits until all that was begun is over; what is to be received again is at once. */
    settled: () =>
      stage.idle(async () => {
        await setLeases(0);
        stage.queues.elapse(60_000);
      }),
    log,
    faults,
    patient,
    stage: () => stage,
    queues: () => stage.queues,
    /** @returns the `messageId` */
    post: async (userId: string): Promise<string> => {
      staff ??= signedIn('staff', 'agent', 'medinfo');
      const call = await staff;
      const message = { title: 'Blood results', body: 'Private.' };
      return (await call('POST', `/users/${userId}/agent-board/messages`, message)).messageId;
    },
    /** What phones with these tokens got: `<type> <messageId or badge>`, oldest first. */
    got: (...tokens: string[]): string[] =>
      (stage.sns?.pushes(({ token }) => tokens.includes(token)) ?? []).map(({ request }) => shown(request)),
    /** Queued, in flight or waiting for a retry. */
    queued: (queue: string) => stage.queues.named(queue).messages(),
  };
}

/** A token that no other test uses. */
export function token(kind = 'phone'): string {
  return `${kind}-${randomUUID()}`;
}

function shown({ Message }: Push['request']): string {
  const { GCM } = JSON.parse(Message) as { GCM: string };
  const { message } = JSON.parse(GCM).fcmV1Message;
  return `${message.data.type} ${message.data.messageId ?? message.data.badge}`;
}
