import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { pushOwner } from '../../bin/push-owner.ts';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { type Answer, callsAt, comparable, tokenAt } from '../caller-at.ts';

/** A stage with phones: pushes are metered and counted, so the shared stage is not used. */

type Phone = { platform: 'ios' | 'android'; token: string; environment?: 'production' | 'sandbox'; locale?: string };

/** An Apple token is of hexadecimal digits. */
export const appleToken = () => `${randomUUID()}${randomUUID()}`.replaceAll('-', '');

// Metered: ten calls of one client at a time, refilled by 100 a minute. Each gets its turn.
const clients = ['mobile-app', 'developer-tools', 'integration'];

export async function openStage() {
  const stage = await startStage({ seed, pushOwner, rateLimit: false });
  const { endpoint, region, credentials, tables } = stage.data;
  const data = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  let turn = 0;

  const call = (method: string, path: string, token: string | null, body?: unknown) =>
    comparable(callsAt(stage, 'sleepcare', token))(method, path, body);

  async function tokenOf(user: string, roles: string): Promise<string> {
    turn += 1;
    const client = clients[turn % clients.length] ?? '';
    return tokenAt(stage, { user, roles, client });
  }

  return {
    call,
    tokenOf,
    url: stage.url,
    /** Registers each as the app does. @returns the user */
    async withPhones(phones: Record<string, Phone>, user: string = randomUUID()): Promise<string> {
      const token = await tokenOf(user, 'patient');
      for (const [deviceId, phone] of Object.entries(phones)) {
        const registration = { environment: 'production', appVersion: '2.0.0', locale: 'en', ...phone };
        const { status } = await call('PUT', `/users/me/devices/${deviceId}`, token, registration);
        if (status !== 200) throw new Error(`${deviceId} was not registered: ${status}`);
      }
      return user;
    },
    /** By a developer; to the developer unless the body names another user. */
    async testPush(messageType: string, body?: unknown, { user = randomUUID() as string, roles = 'developer' } = {}) {
      return call('POST', `/dev/push/test/${messageType}`, await tokenOf(user, roles), body);
    },
    async pushes(userId?: string): Promise<Answer['body'][]> {
      const answer = await fetch(`${stage.url}/_local/pushes${userId ? `?userId=${userId}` : ''}`);
      const list = (await answer.json()) as { items: Answer['body'][] };
      return list.items;
    },
    async setDevice(userId: string, deviceId: string, values: { status: string; endpointArn?: null }) {
      const { status, endpointArn } = values;
      await data.send(
        new UpdateCommand({
          TableName: tables('Devices'),
          Key: { userId, deviceId },
          UpdateExpression: `SET #status = :status${endpointArn === null ? ', endpointArn = :none' : ''}`,
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':status': status, ...(endpointArn === null && { ':none': null }) },
        }),
      );
    },
    async close() {
      data.destroy();
      await stage.close();
    },
  };
}
