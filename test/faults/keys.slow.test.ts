import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { KeySetFault } from '../../lib/local/identity/issuer.ts';
import { keyCases } from './keys.ts';
import { openStage } from './stage.ts';
import { expectAnswer } from './survive.ts';

/** Keys that cannot be had are 503 and never 401; a key that is known goes on being good. */

let fault: KeySetFault | undefined;
let fetches = 0;
const stage = await openStage({
  patience: 1,
  intercept: {
    keySet: () => {
      fetches += 1;
      return fault;
    },
  },
});
afterAll(() => stage.close());
beforeEach(() => {
  fault = undefined;
});

const token = () => stage.stage.issuer.token({ application: 'sleepcare', user: randomUUID(), roles: ['patient'] });
const list = (bearer: string) => stage.call('sleepcare', bearer, 'GET', '/users/agreements');

/** What knew keys is gone. */
function cool(): void {
  const { model, replaceCode, clearAuthorizerCache } = stage.stage;
  const [authorizer] = model().functions.filter(({ operation }) => operation === 'authorizer');
  if (!authorizer) throw new Error('there is no authorizer');
  replaceCode('authorizer', authorizer.codeDir);
  clearAuthorizerCache();
}

test.each(keyCases)('$code: $name', async ({ fault: kind, isWarm, isRotated, code }) => {
  cool();
  if (isWarm) expectAnswer(await list(await token()), null);
  if (isRotated) stage.stage.issuer.rotateKey('sleepcare');
  const bearer = await token();
  fault = kind;
  expectAnswer(await list(bearer), code);
  fault = undefined;
  expectAnswer(await list(bearer), null);
});

describe('a key that was rotated', () => {
  test('accepts tokens of the new key at once, and still accepts those of the old key', async () => {
    const old = await token();
    expectAnswer(await list(old), null);
    stage.stage.issuer.rotateKey('sleepcare');
    expectAnswer(await list(await token()), null);
    stage.stage.clearAuthorizerCache();
    expectAnswer(await list(old), null);
  });

  test('is found in spite of a flood of invented key ids, each of which is 401', async () => {
    cool();
    const [, payload, signature] = (await token()).split('.');
    const invented = (n: number) =>
      Buffer.from(JSON.stringify({ kid: `invented-${n}`, alg: 'RS256' })).toString('base64url');
    const flood = Array.from({ length: 60 }, (_, n) => list([invented(n), payload, signature].join('.')));
    fetches = 0;
    stage.stage.issuer.rotateKey('sleepcare');
    const valid = list(await token());
    for (const answer of await Promise.all(flood)) expectAnswer(answer, 'UNAUTHENTICATED');
    expectAnswer(await valid, null);
    // One for each id: an environment has one request at a time, and lib/runtime/jwks.ts asks once for an id.
    expect(fetches).toBeLessThanOrEqual(flood.length + 1);
  });
});
