import { randomUUID } from 'node:crypto';
import {
  AdminAddUserToGroupCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { administrator, credentialsOf } from '../../lib/local/credentials.ts';
import type { AttackedStage } from './attacked-stage.ts';

/** Accounts of the staff, attacked with the rights of single functions. */

export function attackStaffAccounts(attacked: AttackedStage): void {
  function credentials(operation: string) {
    const found = attacked
      .stage()
      .model()
      .functions.find((fn) => fn.operation === operation);
    if (!found) throw new Error(`no function ${operation}`);
    return credentialsOf(found);
  }

  const place = () => ({ region: attacked.stage().data.region, maxAttempts: 1 });
  const pool = (given: { accessKeyId: string; secretAccessKey: string }) =>
    new CognitoIdentityProviderClient({ ...place(), endpoint: attacked.stage().issuer.url, credentials: given });
  test.each(['accept-invitation', 'accept-staff-invitation'])(
    'as %s nobody becomes an administrator, and nobody gets a password',
    async (operation) => {
      const userId = attacked.stage().data.seededUserId('medinfo', 'physician@example.com') ?? '';
      const TableName = attacked.table('StaffAccounts');
      const { dynamo } = attacked.as(operation, 'medinfo');
      const row = { kind: 'staff', userId, roles: ['admin'], status: 'active', endedAt: null };
      const roster = { kind: 'roster', userId: 'admins' };
      for (const item of [
        { Put: { TableName, Item: row } },
        {
          Update: {
            TableName,
            Key: roster,
            UpdateExpression: 'ADD admins :them',
            ExpressionAttributeValues: { ':them': new Set([userId]) },
          },
        },
      ]) {
        await expect(dynamo.send(new TransactWriteCommand({ TransactItems: [item] }))).rejects.toThrow(
          'not authorized',
        );
      }
      const cognito = pool(credentials(operation));
      const user = { UserPoolId: attacked.output('MedinfoUserPoolId'), Username: userId };
      for (const command of [
        new AdminSetUserPasswordCommand({ ...user, Password: 'a-password-of-a-thief', Permanent: true }),
        new AdminAddUserToGroupCommand({ ...user, GroupName: 'admin' }),
      ]) {
        await expect(cognito.send(command as never)).rejects.toThrow('not authorized');
      }
      cognito.destroy();
    },
  );

  test('what it puts into the queue activates nobody who has replaced no temporary password', async () => {
    const { dynamo } = attacked.owner();
    const admin = await attacked.caller('admin@example.com', 'admin', 'medinfo');
    const email = `${randomUUID()}@example.com`;
    const invited = await admin('POST', '/admin/staff', { email, name: 'Dr. A', roles: ['admin'] });
    expect(invited.status).toBe(201);
    const Key = { kind: 'staff', userId: invited.body.staffId };
    const read = async (userId: string) => {
      const found = await dynamo.send(
        new GetCommand({ TableName: attacked.table('StaffAccounts'), Key: { ...Key, userId }, ConsistentRead: true }),
      );
      return found.Item;
    };
    const before = await read(Key.userId);
    const physician = attacked.stage().data.seededUserId('medinfo', 'physician@example.com') ?? '';
    const roles = (await read(physician))?.roles;
    for (const userId of [Key.userId, physician, randomUUID()]) {
      const message = { userId, changeId: before?.changeId, requestId: 'r', roles: ['admin'] };
      await attacked.stage().invoke(activating(), {
        Records: [{ messageId: randomUUID(), body: JSON.stringify(message), attributes: {} }],
      });
    }
    expect(await read(Key.userId)).toEqual(before);
    expect((await read(physician))?.roles).toEqual(roles);
  });

  const activating = () =>
    attacked
      .stage()
      .model()
      .functions.find((fn) => fn.operation === 'activate-member')?.arn ?? '';

  test('a group of the pool gives nothing', async () => {
    const cognito = pool(administrator);
    const userId = attacked.stage().data.seededUserId('medinfo', 'physician@example.com') ?? '';
    const user = { UserPoolId: attacked.output('MedinfoUserPoolId'), Username: userId };
    await cognito.send(new AdminAddUserToGroupCommand({ ...user, GroupName: 'admin' }));
    cognito.destroy();
    const signedIn = await fetch(`${attacked.stage().url}/v2/auth/tokens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grantType: 'password',
        username: 'physician@example.com',
        password: 'physician-physician',
      }),
    });
    const { accessToken } = (await signedIn.json()) as { accessToken: string };
    expect(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).toContain('"admin"');
    const refused = await fetch(`${attacked.stage().url}/v2/admin/staff`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    expect(refused.status).toBe(403);
  });
}
