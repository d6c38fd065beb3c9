import type { Jwks } from 'aws-jwt-verify/jwk';
import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { rolePlaces } from '../../functions/product.ts';
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
  auth_time: now - 600,
  exp: now + 890,
  'cognito:groups': ['patient', 'developer'],
};
const right = token(key, claims);
const methodArn = 'arn:aws:execute-api:eu-central-1:123456789012:abc123/de/GET/v1/users/agreements';

const published = async () => ({ keys: [key.jwk] }) as unknown as Jwks;

function authorize(authorizationToken: string, { load = published, ahead = 0, where = {} } = {}) {
  const clock = () => new Date(Date.now() + ahead);
  const variables = {
    ENVIRONMENT: 'dev',
    APPLICATION: 'sleepcare',
    USER_POOL_ID: userPoolId,
    API_KEYS: '{"app":"key-of-app","tools":"key-of-tools"}',
    ...where,
  };
  const decide = authorizer({ variables, clock, realNow: clock, write: () => {} }, { places: rolePlaces, load });
  return decide({ type: 'TOKEN', methodArn, authorizationToken } as APIGatewayTokenAuthorizerEvent);
}

/** The header and signature of one token around the payload of another. */
function spliced(): string {
  const [header, , signature] = right.split('.');
  return [header, token(key, { ...claims, sub: 'somebody-else' }).split('.')[1], signature].join('.');
}

describe('a valid token', () => {
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
      },
      usageIdentifierKey: 'key-of-app',
    });
  });

  test.each([
    [{ APPLICATION: 'sleepcare' }, ['patient', 'physician', 'developer', 'us-east-1_abc_Google'], 'patient,developer'],
    [{ APPLICATION: 'medinfo' }, ['patient', 'physician', 'developer'], 'physician,developer'],
    [
      { APPLICATION: 'medinfo', ENVIRONMENT: 'prod' },
      ['physician', 'developer', 'integration'],
      'physician,integration',
    ],
    [{ APPLICATION: 'sleepcare', ENVIRONMENT: 'prod' }, ['developer', 'admin'], ''],
  ])('in %j, a group that is no role there is not passed on', async (where, groups, roles) => {
    const { context } = await authorize(`Bearer ${token(key, { ...claims, 'cognito:groups': groups })}`, { where });
    expect(context).toMatchObject({ roles });
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

  test('without a user name the subject stands in for it', async () => {
    const { username: _username, ...unnamed } = claims;
    const { context } = await authorize(`Bearer ${token(key, unnamed)}`);
    expect(context).toMatchObject({ username: claims.sub });
  });

  test.each([
    ['signed by a stranger under the known key id', token(stranger, claims)],
    ['altered after signing', spliced()],
    ['of another algorithm', token(key, claims, { alg: 'RS512' })],
    ['unsigned', token(key, claims, { alg: 'none' })],
    ['with a critical extension', token(key, claims, { crit: ['b64'] })],
    ['without a key id', token(key, claims, { kid: undefined })],
    ['of another issuer', token(key, { ...claims, iss: `${issuer}x` })],
    ['of another client', token(key, { ...claims, client_id: 'other' })],
    ['of a client named as a prototype', token(key, { ...claims, client_id: '__proto__' })],
    ['for another use', token(key, { ...claims, token_use: 'id' })],
    ['that is over', token(key, { ...claims, exp: now - 1 })],
    ['without an end', token(key, { ...claims, exp: undefined })],
    ['with an end in words', token(key, { ...claims, exp: 'never' })],
    ['with an end that no date has', token(key, { ...claims, exp: 8.64e12 + 1 })],
    ['with an end beyond all numbers of it', token(key, { ...claims, exp: 1e300 })],
    ['with an end before all dates', token(key, { ...claims, exp: -1e300 })],
    ['issued before all dates', token(key, { ...claims, iat: -1e300 })],
    ['valid from before all dates', token(key, { ...claims, nbf: -8.64e12 - 1 })],
    ['not valid yet', token(key, { ...claims, nbf: now + 60 })],
    ['from the future', token(key, { ...claims, iat: now + 60 })],
    ['of nobody', token(key, { ...claims, sub: '' })],
    ['without a subject', token(key, { ...claims, sub: undefined })],
    ['of a subject that is no id', token(key, { ...claims, sub: 'a#b' })],
    ['with groups that are no list', token(key, { ...claims, 'cognito:groups': 'admin' })],
    ['with a group of two names', token(key, { ...claims, 'cognito:groups': ['patient,admin'] })],
    ['of no form', 'abc'],
    ['of two parts', 'abc.def'],
  ])('a token %s is refused', async (_name, wrong) => {
    await expect(authorize(`Bearer ${wrong}`)).rejects.toThrow(/^Unauthorized$/);
  });

  test.each(['', 'Bearer', 'Bearer ', `Basic ${right}`, right, `Bearer ${right} x`])(
    'the header %j is refused',
    async (header) => {
      await expect(authorize(header)).rejects.toThrow(/^Unauthorized$/);
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
