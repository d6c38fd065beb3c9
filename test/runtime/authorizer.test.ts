import type { Jwks } from 'aws-jwt-verify/jwk';
import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { roleScopes } from '../../functions/product.ts';
import { selfServiceScope } from '../../lib/contract/tokens.ts';
import { authorizer } from '../../lib/runtime/authorizer.ts';
import { KeysUnavailable } from '../../lib/runtime/jwks.ts';
import { signer, token } from './tokens.ts';

const userPoolId = 'eu-central-1_abcDEF123';
const issuer = `https://cognito-idp.eu-central-1.amazonaws.com/${userPoolId}`;
const key = signer('first');
const stranger = signer('first');
// aws-jwt-verify reads the clock itself, so that the times of the tokens it is to judge are real.
const now = Math.floor(Date.now() / 1000);
const claims = {
  sub: '0f8fad5b-d9cb-469f-a165-70867728950e',
  iss: issuer,
  username: 'b5c5d1f0-0000-4000-8000-0123456789ab',
  client_id: 'app',
  token_use: 'access',
  iat: now - 10,
  origin_jti: '7d1a2f0e-3b1c-4d52-9d6f-0c3a4b5e6f70',
  auth_time: now - 600,
  exp: now + 890,
  'cognito:groups': ['patient', 'developer'],
};
const right = token(key, claims);
const methodArn = 'arn:aws:execute-api:eu-central-1:123456789012:abc123/de/GET/v1/users/agreements';

const published = async () => ({ keys: [key.jwk] }) as unknown as Jwks;

function authorize(
  authorizationToken: string,
  { load = published, ahead = 0, where = {}, write = (_line: string): void => {} } = {},
) {
  const clock = () => new Date(Date.now() + ahead);
  const variables = {
    ENVIRONMENT: 'dev',
    APPLICATION: 'sleepcare',
    USER_POOL_ID: userPoolId,
    API_KEYS: '{"app":"key-of-app","tools":"key-of-tools"}',
    CLIENT_NAMES: '{"app":"mobile-app","tools":"integration"}',
    ...where,
  };
  const decide = authorizer({ variables, clock, realNow: clock, write }, { scopes: roleScopes, load });
  return decide({ type: 'TOKEN', methodArn, authorizationToken } as APIGatewayTokenAuthorizerEvent);
}

/** The header and signature of one token around the payload of another. */
function spliced(): string {
  const [header, , signature] = right.split('.');
  return [header, token(key, { ...claims, sub: 'somebody-else' }).split('.')[1], signature].join('.');
}

describe('a valid token', () => {
  test('writes no line', async () => {
    const lines: string[] = [];
    await authorize(`Bearer ${right}`, { write: (line) => lines.push(line) });
    expect(lines).toEqual([]);
  });

  test('names the caller, for every route of the stage', async () => {
    expect(await authorize(`Bearer ${right}`)).toEqual({
      principalId: claims.sub,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'execute-api:Invoke',
            Resource: 'arn:aws:execute-api:eu-central-1:123456789012:abc123/de/*',
          },
        ],
      },
      context: {
        userId: claims.sub,
        username: claims.username,
        roles: 'patient,developer',
        exp: String(claims.exp),
        signedInAt: String(claims.auth_time),
        sessionId: claims.origin_jti,
      },
      usageIdentifierKey: 'key-of-app',
    });
  });

  test.each([
    [{ APPLICATION: 'sleepcare' }, ['patient', 'physician', 'developer', 'us-east-1_abc_Google'], 'patient,developer'],
    [{ APPLICATION: 'medinfo' }, ['patient', 'physician', 'developer'], 'physician,developer'],
    [{ APPLICATION: 'medinfo', ENVIRONMENT: 'prod' }, ['physician', 'developer', 'integration'], 'physician'],
    [{ APPLICATION: 'sleepcare', ENVIRONMENT: 'prod' }, ['developer', 'admin'], ''],
  ])('in %j, a group that is no role there is not passed on', async (where, groups, roles) => {
    const { context } = await authorize(`Bearer ${token(key, { ...claims, 'cognito:groups': groups })}`, { where });
    expect(context).toMatchObject({ roles });
  });

  test.each([
    ['app', 'patient'],
    ['tools', 'patient,integration'],
  ])('whoever is in the group of a tool has its role only with its client: %s', async (client_id, roles) => {
    const said = { ...claims, client_id, 'cognito:groups': ['patient', 'integration'] };
    expect((await authorize(`Bearer ${token(key, said)}`)).context).toMatchObject({ roles });
  });

  test('the scheme is read in any case, and a caller may be in no group', async () => {
    const { 'cognito:groups': _groups, ...ungrouped } = claims;
    const { context } = await authorize(`bearer ${token(key, ungrouped)}`);
    expect(context).toMatchObject({ roles: '' });
  });

  test('a token that does not say when its user signed in says nothing of it', async () => {
    const { auth_time: _time, ...unsaid } = claims;
    for (const claimed of [unsaid, { ...claims, auth_time: 'now' }, { ...claims, auth_time: 1e300 }]) {
      expect((await authorize(`Bearer ${token(key, claimed)}`)).context).toMatchObject({ signedInAt: '' });
    }
  });

  // AWS does not document what is left of the claim once the only scope was taken.
  test.each([undefined, '', 'openid'])('with the scope %j it is accepted', async (scope) => {
    expect((await authorize(`Bearer ${token(key, { ...claims, scope })}`)).principalId).toBe(claims.sub);
  });

  test('without a user name the subject stands in for it', async () => {
    const { username: _username, ...unnamed } = claims;
    const { context } = await authorize(`Bearer ${token(key, unnamed)}`);
    expect(context).toMatchObject({ username: claims.sub });
  });

  test.each([
    ['signed by a stranger under the known key id', token(stranger, claims), 'signature'],
    ['altered after signing', spliced(), 'signature'],
    ['with its own key inside', token(stranger, claims, { jwk: stranger.jwk }), 'signature'],
    ['with its own key inside, under its name', token(stranger, claims, { jwk: stranger.jwk, kid: 'mine' }), 'key'],
    ['that says where its key is', token(stranger, claims, { jku: 'https://example.com/keys', kid: 'mine' }), 'key'],
    [
      'that brings a certificate',
      token(stranger, claims, { x5c: ['MII'], x5u: 'https://example.com/it' }),
      'signature',
    ],
    ['of another algorithm', token(key, claims, { alg: 'RS512' }), 'header'],
    ['unsigned', token(key, claims, { alg: 'none' }), 'form'],
    ['with a critical extension', token(key, claims, { crit: ['b64'] }), 'header'],
    ['without a key id', token(key, claims, { kid: undefined }), 'key'],
    ['of another issuer', token(key, { ...claims, iss: `${issuer}x` }), 'issuer'],
    ['of another client', token(key, { ...claims, client_id: 'other' }), 'client'],
    ['of a client named as a prototype', token(key, { ...claims, client_id: '__proto__' }), 'client'],
    ['for another use', token(key, { ...claims, token_use: 'id' }), 'form'],
    ['that is over', token(key, { ...claims, exp: now - 1 }), 'expired'],
    ['without an end', token(key, { ...claims, exp: undefined }), 'form'],
    ['with an end in words', token(key, { ...claims, exp: 'never' }), 'form'],
    ['with an end that no date has', token(key, { ...claims, exp: 8.64e12 + 1 }), 'form'],
    ['with an end beyond all numbers of it', token(key, { ...claims, exp: 1e300 }), 'form'],
    ['with an end before all dates', token(key, { ...claims, exp: -1e300 }), 'form'],
    ['issued before all dates', token(key, { ...claims, iat: -1e300 }), 'early'],
    ['valid from before all dates', token(key, { ...claims, nbf: -8.64e12 - 1 }), 'early'],
    ['not valid yet', token(key, { ...claims, nbf: now + 60 }), 'early'],
    ['from the future', token(key, { ...claims, iat: now + 60 }), 'early'],
    ['of nobody', token(key, { ...claims, sub: '' }), 'form'],
    ['without a subject', token(key, { ...claims, sub: undefined }), 'form'],
    ['of a subject that is no id', token(key, { ...claims, sub: 'a#b' }), 'form'],
    ['with groups that are no list', token(key, { ...claims, 'cognito:groups': 'admin' }), 'form'],
    ['with a group of two names', token(key, { ...claims, 'cognito:groups': ['patient,admin'] }), 'form'],
    ["that opens Cognito's own API", token(key, { ...claims, scope: selfServiceScope }), 'scope'],
    ['that also opens it', token(key, { ...claims, scope: `openid ${selfServiceScope}` }), 'scope'],
    ['with scopes in a list', token(key, { ...claims, scope: [selfServiceScope] }), 'form'],
    ['of no form', 'abc', 'no token'],
    ['that is no value', 'undefined', 'no token'],
    ['of two parts', 'abc.def', 'no token'],
  ])('a token %s is refused, and the line says why and has no part of it', async (_name, wrong, why) => {
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    await expect(authorize(`Bearer ${wrong}`, { write })).rejects.toThrow(/^Unauthorized$/);
    expect(lines).toHaveLength(1);
    const { time: _time, _aws, ...line } = JSON.parse(lines[0] ?? '');
    const isEveryday = why === 'expired' || why === 'no token';
    const level = isEveryday ? 'INFO' : 'WARN';
    const counted = isEveryday ? {} : { tokensRefused: 1 };
    expect(line).toEqual({ level, message: 'token refused', application: 'sleepcare', why, ...counted });
    const metrics = [
      { Namespace: 'MobileHealth', Dimensions: [['application']], Metrics: [{ Name: 'tokensRefused', Unit: 'Count' }] },
    ];
    expect(_aws?.CloudWatchMetrics).toEqual(isEveryday ? undefined : metrics);
  });

  test.each(['', 'Bearer', 'Bearer ', `Basic ${right}`, right, `Bearer ${right} x`])(
    'the header %j is refused',
    async (header) => {
      const lines: string[] = [];
      await expect(authorize(header, { write: (line) => lines.push(line) })).rejects.toThrow(/^Unauthorized$/);
      const said = lines.map((line) => JSON.parse(line));
      expect(said).toEqual([
        { time: expect.any(String), level: 'INFO', message: 'token refused', application: 'sleepcare', why: 'absent' },
      ]);
    },
  );

  test('keys that cannot be had are no fault of the token', async () => {
    const down = async () => {
      throw new KeysUnavailable('down');
    };
    await expect(authorize(`Bearer ${right}`, { load: down })).rejects.toThrow('down');
  });
});

test('the end is judged by the clock that the authorizer is given', async () => {
  await expect(authorize(`Bearer ${right}`, { ahead: 900_000 })).rejects.toThrow(/^Unauthorized$/);
});
