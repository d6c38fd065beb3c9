import { randomUUID } from 'node:crypto';
import {
  CognitoIdentityProviderClient,
  GetTokensFromRefreshTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  BatchWriteCommand,
  ExecuteStatementCommand,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../functions/auth/rules/refresh-token.ts';
import { SignInKey } from '../../functions/auth/secrets.ts';
import { newToken } from '../../functions/auth/stores/refresh-tokens.ts';
import { Sessions } from '../../functions/auth/tables.ts';
import { consumers, operations } from '../../functions/domains.ts';
import { deployments, seededUsers } from '../../functions/product.ts';
import { readRing } from '../../lib/contract/key-ring.ts';
import { ofKind } from '../../lib/contract/uses.ts';
import { unseal } from '../../lib/runtime/hmac-and-encrypt.ts';
import { functionName } from '../../lib/stack/names.ts';
import { eventually } from '../eventually.ts';
import { partition } from '../partition.ts';
import type { AttackedStage } from './attacked-stage.ts';

/** What codes have unlocked, and the sessions of others, attacked with the rights of single functions. */

export function attackEntitlementsAndSessions(attacked: AttackedStage): void {
  const far = '2099-01-01T00:00:00.000Z';

  describe.each(['revoke-access-code', 'revoke-access-code-batch'])('as %s', (operation) => {
    const attacker = () => attacked.as(operation, 'medinfo').dynamo;
    const table = () => attacked.table('Entitlements');

    async function granted() {
      const userId = randomUUID();
      const Item = {
        userId,
        entitlementId: `e-${randomUUID()}`,
        programmeId: 'insomnia-core',
        startsAt: '2026-01-01T00:00:00.000Z',
        endsAt: '2026-02-01T00:00:00.000Z',
        redeemedAt: '2026-01-01T00:00:00.000Z',
        accessCodeId: 'a',
        batchId: null,
        part: null,
      };
      await attacked.owner().dynamo.send(new PutCommand({ TableName: table(), Item }));
      return Item;
    }

    const updated = (
      Key: { userId: string; entitlementId: string },
      UpdateExpression: string,
      ExpressionAttributeValues?: object,
    ) => ({
      Update: {
        TableName: table(),
        Key,
        UpdateExpression,
        ...(ExpressionAttributeValues && { ExpressionAttributeValues: { ...ExpressionAttributeValues } }),
      },
    });
    const send = (...TransactItems: object[]) =>
      attacker().send(new TransactWriteCommand({ TransactItems: TransactItems as never }));

    test('nobody’s term is prolonged, and none is made', async () => {
      const { userId, entitlementId, ...row } = await granted();
      const Key = { userId, entitlementId };
      for (const items of [
        [updated(Key, 'SET endsAt = :far', { ':far': far })],
        [updated(Key, 'SET startsAt = :far, endedAt = :far', { ':far': far })],
        [updated(Key, 'REMOVE endsAt')],
        [updated(Key, 'SET endedAt = :far, programmeId = :other', { ':far': far, ':other': 'x' })],
        [updated({ userId, entitlementId: 'new' }, 'SET endsAt = :far, startsAt = :far', { ':far': far })],
        [{ Put: { TableName: table(), Item: { ...Key, ...row, endsAt: far } } }],
        [{ Delete: { TableName: table(), Key } }],
      ]) {
        await expect(send(...items)).rejects.toThrow('not authorized');
      }
      const outside = new UpdateCommand({
        TableName: table(),
        Key,
        UpdateExpression: 'SET endedAt = :far',
        ExpressionAttributeValues: { ':far': far },
        ReturnValues: 'ALL_OLD',
      });
      const batch = new BatchWriteCommand({
        RequestItems: { [table()]: [{ PutRequest: { Item: { ...Key, endsAt: far } } }] },
      });
      const Statement = `UPDATE "${table()}" SET endsAt='${far}' WHERE userId='${userId}' AND entitlementId='${entitlementId}'`;
      for (const command of [outside, batch, new ExecuteStatementCommand({ Statement })]) {
        await expect(attacker().send(command as never)).rejects.toThrow('not authorized');
      }
      const found = await attacked.owner().dynamo.send(new GetCommand({ TableName: table(), Key }));
      expect(found.Item).toEqual({ ...Key, ...row });
    });

    test('a late end prolongs nothing, and a row that has only an end unlocks nothing', async () => {
      const { userId, entitlementId, endsAt } = await granted();
      await send(updated({ userId, entitlementId }, 'SET endedAt = :far', { ':far': far }));
      await send(updated({ userId, entitlementId: 'new' }, 'SET endedAt = :far', { ':far': far }));
      const call = await attacked.caller(userId);
      const { status, body } = await call('GET', '/users/me/entitlements');
      expect(status).toBe(200);
      expect(body.items).toMatchObject([{ entitlementId, endsAt, status: 'ended' }]);
    });

    test('an end that is no time, and a mark that all is over, keep no batch from being ended', async () => {
      const admin = await attacked.caller('admin@example.com', 'admin', 'medinfo');
      const wish = { count: 2, kind: 'clinic', programmeId: 'insomnia-basic', grantsDays: 90, redeemBy: far };
      const { batchId, codes } = (await admin('POST', '/access-codes/batches', wish)).body;
      const users = await Promise.all([randomUUID(), randomUUID()].map((userId) => attacked.caller(userId)));
      const [{ userId, entitlementId } = { userId: '', entitlementId: '' }] = await Promise.all(
        users.map(async (call, at) => {
          const { entitlementId } = (await call('POST', '/access-codes/redeem', { code: codes[at].code })).body;
          return { userId: (await call('GET', '/users/me')).body.userId, entitlementId };
        }),
      );
      await send(updated({ userId, entitlementId }, 'SET endedAt = :n', { ':n': 5 }));
      const Key = { batchId, part: 'g00' };
      const mark = { ...updated({ userId, entitlementId }, 'SET entitlementsEndedAt = :t', { ':t': far }).Update, Key };
      await send({ Update: { ...mark, TableName: attacked.table('AccessCodeBatches') } });
      const revoked = await admin('POST', `/access-codes/batches/${batchId}/revoke`, { endEntitlements: true });
      expect(revoked).toMatchObject({ status: 200, body: { entitlementsEndedAt: expect.any(String) } });
      for (const call of users) {
        expect((await call('GET', '/users/me/entitlements')).body.items).toMatchObject([{ status: 'ended' }]);
      }
    });
  });

  /** Open, and named so in decision 56: it needs the id of the user, whose rows no Scan lists. */
  describe('the sessions of others', () => {
    test('a new password ends a thief’s session among rows that fill the list', async () => {
      const { userId, password, call, signIn, renew } = await attacked.account();
      const thief = await signIn();
      const fill = { UpdateExpression: 'SET endedBy = :x', ExpressionAttributeValues: { ':x': 'x'.repeat(390_000) } };
      for (let planted = 0; planted < 50; planted += 5) {
        const TransactItems = Array.from({ length: 5 }, (_, at) => {
          const Key = { userId, sessionId: `!${planted + at}` };
          return { Update: { TableName: attacked.table('Sessions'), Key, ...fill } };
        });
        await attacked.as('enable-staff', 'medinfo').dynamo.send(new TransactWriteCommand({ TransactItems }));
      }
      const change = { currentPassword: password, password: `Next-${password}` };
      expect(await call('PUT', '/users/me/password', change)).toMatchObject({ status: 200 });
      expect(await renew(thief.refreshToken)).toMatchObject({ status: 401 });
    });

    const functions = [
      ...operations.map(({ id, route: { uses } }) => ({ id, uses })),
      ...consumers.map(({ id, consumer: { uses } }) => ({ id, uses })),
    ];
    const holders = functions.flatMap(({ id, uses }) => {
      const opens = ofKind(uses, 'secret').some(({ secret }) => secret === SignInKey);
      const reads = ofKind(uses, 'table').some(({ table, access }) => table === Sessions && access !== 'adjust');
      return opens && reads ? [functionName(id)] : [];
    });

    test('are readable, with the key of their tokens, for these functions and no others', () => {
      expect(holders.toSorted()).toEqual([
        'change-password',
        'end-session',
        'get-physician-access',
        'issue-tokens',
        'replace-password',
        'revoke-token',
      ]);
    });

    test('are renewed at the pool by a function that only ends the caller’s own', async () => {
      const [victim] = seededUsers;
      const signedIn = await fetch(`${attacked.stage().url}${deployments.sleepcare.basePath}/auth/tokens`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ grantType: 'password', username: victim?.name, password: victim?.password }),
      });
      expect(signedIn.status).toBe(200);
      const userId = attacked.stage().data.seededUserId('sleepcare', victim?.name ?? '') ?? '';
      const [row] = await partition(attacked.as('end-session').dynamo, attacked.table('Sessions'), { userId });
      const ring = readRing(attacked.stage().data.secrets('SignInKey'), 'SignInKey');
      const token = unseal(ring, 'refresh token', row?.sealedToken, `${userId}#${row?.sessionId}`);
      const pool = attacked
        .stage()
        .model()
        .userPools.find(({ clients, id }) => clients.length > 0 && id === poolId());
      const client = pool?.clients.find(({ name }) => name === 'mobile-app');
      // The pool asks for no rights here: the token is enough.
      const anybody = new CognitoIdentityProviderClient({
        endpoint: attacked.stage().issuer.url,
        region: attacked.stage().data.region,
        credentials: { accessKeyId: 'nobody', secretAccessKey: 'nobody' },
        maxAttempts: 1,
      });
      const renewal = new GetTokensFromRefreshTokenCommand({ ClientId: client?.id ?? '', RefreshToken: token });
      const { AuthenticationResult } = await anybody.send(renewal);
      anybody.destroy();
      const claims = JSON.parse(
        Buffer.from(AuthenticationResult?.AccessToken?.split('.')[1] ?? '', 'base64url').toString(),
      );
      expect(claims.sub).toBe(userId);
      const asVictim = await fetch(`${attacked.stage().url}${deployments.sleepcare.basePath}/users/me`, {
        headers: { Authorization: `Bearer ${AuthenticationResult?.AccessToken}` },
      });
      expect(asVictim.status).toBe(200);
    });

    test('are not ended at a sign-out by a token that whoever has the key makes, and at a renewal not without a mail', async () => {
      const { email, signIn, renew } = await attacked.account();
      const { refreshToken } = await signIn();
      const { userId = '', sessionId = '' } = partsOf(refreshToken) ?? {};
      const secret = readRing(attacked.stage().data.secrets('SignInKey'), 'SignInKey');
      const forged = newToken({ secret, application: 'sleepcare' }, { userId, sessionId }).token;
      await attacked.callerWith(null)('POST', '/auth/tokens/revoke', { refreshToken: forged });
      const renewed = await renew(refreshToken);
      expect(renewed.status).toBe(200);
      expect(await renew(forged)).toMatchObject({ status: 401, body: { detail: { reason: 'reused' } } });
      await eventually(async () =>
        expect(JSON.stringify(await attacked.mailsTo(email))).toContain('A device was signed out for safety'),
      );
    });

    const poolId = () => attacked.output('SleepcareUserPoolId');
  });
}
