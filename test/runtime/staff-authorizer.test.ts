import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Jwks } from 'aws-jwt-verify/jwk';
import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { roleScopes } from '../../functions/product.ts';
import { authorizer } from '../../lib/runtime/authorizer.ts';
import { callLimits, keySetMs } from '../../lib/runtime/limits.ts';
import { staffAuthorizer } from '../../lib/runtime/staff-authorizer.ts';
import { sizes } from '../../lib/stack/settings.ts';
import { longestWaitMs } from './longest-wait.ts';
import { signer, token } from './tokens.ts';

const userPoolId = 'eu-central-1_abcDEF123';
const key = signer('first');
const now = Math.floor(Date.now() / 1000);
const claims = {
  sub: '0f8fad5b-d9cb-469f-a165-70867728950e',
  iss: `https://cognito-idp.eu-central-1.amazonaws.com/${userPoolId}`,
  client_id: 'app',
  token_use: 'access',
  iat: now - 10,
  auth_time: now - 600,
  exp: now + 890,
  'cognito:groups': ['admin', 'physician'],
};
const event = (said: Record<string, unknown> = claims) =>
  ({
    type: 'TOKEN',
    methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:abc123/v2/GET/users/me',
    authorizationToken: `Bearer ${token(key, said)}`,
  }) as APIGatewayTokenAuthorizerEvent;

/** @param read what DynamoDB answers */
function authorize(read: () => Promise<object>, said: Record<string, unknown> = claims) {
  const asked: { input: object }[] = [];
  const send = async (command: { input: object }) => {
    asked.push(command);
    return read();
  };
  const clock = () => new Date();
  const variables = {
    ENVIRONMENT: 'dev',
    APPLICATION: 'medinfo',
    USER_POOL_ID: userPoolId,
    API_KEYS: '{"app":"key","tool":"key of the tool"}',
    CLIENT_NAMES: '{"app":"mobile-app","tool":"integration"}',
    STAFF_ACCOUNTS_TABLE: 'StaffAccounts',
  };
  const lines: string[] = [];
  const dynamo = () => ({ send }) as unknown as DynamoDBDocumentClient;
  const runtime = { variables, clock, realNow: clock, write: (line: string) => lines.push(line), dynamo };
  const load = async () => ({ keys: [key.jwk] }) as unknown as Jwks;
  return {
    asked,
    lines,
    answer: staffAuthorizer(runtime, { scopes: roleScopes, load })(event(said)),
    runtime,
    load,
  };
}

const row = { roles: ['physician'], status: 'active', endedAt: null };
const withRow = (more: object) => async () => ({ Item: { ...row, ...more } });

describe('the roles of a member of staff', () => {
  test('are the roles of the row, whatever the token says', async () => {
    const { asked, answer } = authorize(withRow({}));
    expect((await answer).context).toMatchObject({ userId: claims.sub, roles: 'physician' });
    expect(asked.map(({ input }) => input)).toEqual([
      { TableName: 'StaffAccounts', Key: { kind: 'staff', userId: claims.sub }, ConsistentRead: true },
    ]);
  });

  test('are none if there is no row, whatever groups the token names', async () => {
    expect((await authorize(async () => ({})).answer).context).toMatchObject({ roles: '' });
  });

  test('a tool’s role counts only with the tool’s client', async () => {
    const roles = async (client_id: string) => {
      const { answer } = authorize(withRow({ roles: ['integration', 'physician'] }), { ...claims, client_id });
      return (await answer).context?.roles;
    };
    expect([await roles('app'), await roles('tool')]).toEqual(['physician', 'integration,physician']);
  });

  test('are none if the row has none', async () => {
    expect((await authorize(withRow({ roles: [] })).answer).context).toMatchObject({ roles: '' });
  });
});

describe('401', () => {
  test.each([
    ["a token that opens Cognito's own API", {}, { ...claims, scope: 'aws.cognito.signin.user.admin' }],
    ['a disabled account', { status: 'disabled' }, claims],
    ['a state that nobody knows', { status: 'gone' }, claims],
    ['a sign-in before the sessions ended', { endedAt: claims.auth_time + 1 }, claims],
    ['a sign-in in the same second', { endedAt: claims.auth_time }, claims],
    ['a token that does not say when its user signed in', { endedAt: 1 }, { ...claims, auth_time: undefined }],
  ])('%s', async (_, more, said) => {
    const { answer, lines } = authorize(withRow(more), said);
    await expect(answer).rejects.toThrow(/^Unauthorized$/);
    const why = said === claims || !('scope' in said) ? 'ended' : 'scope';
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ message: 'token refused', application: 'medinfo', why }),
    ]);
  });

  test('a sign-in after the sessions ended counts', async () => {
    const { answer } = authorize(withRow({ endedAt: claims.auth_time - 1 }));
    expect((await answer).context).toMatchObject({ roles: 'physician' });
  });

  test('a text that is not a token is not looked up', async () => {
    const { asked, answer } = authorize(withRow({}), { ...claims, exp: now - 1 });
    await expect(answer).rejects.toThrow(/^Unauthorized$/);
    expect(asked).toEqual([]);
  });
});

test('503: a row that cannot be read gives another error than the error for 401', async () => {
  const { answer } = authorize(async () => {
    throw new Error('throttled');
  });
  await expect(answer).rejects.toThrow('throttled');
});

test('the app for patients asks nothing: its authorizer has no table to ask', async () => {
  const { asked, runtime, load, answer } = authorize(withRow({ roles: [] }));
  await answer;
  expect(asked).toHaveLength(1);
  expect((await authorizer(runtime, { scopes: roleScopes, load })(event())).context).toMatchObject({
    roles: 'admin,physician',
  });
  expect(asked).toHaveLength(1);
});

test.each(['TRANSIENT', 'THROTTLING'] as const)('it says why it failed before Lambda ends it: %s', async (outage) => {
  const longestMs = keySetMs + (await longestWaitMs(callLimits, outage));
  expect(longestMs).toBeLessThan(sizes.authorizer.timeoutSeconds * 1000 - 500);
});
