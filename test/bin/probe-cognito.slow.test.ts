import { expect, test } from 'vitest';
import { probedCognito } from '../../bin/probe-cognito.ts';
import { invokeFailure } from '../../lib/local/functions/result.ts';
import { probeTrigger } from '../../lib/stack/probe-function.ts';
import { cognito } from '../local/identity/cognito.ts';
import { client, pool, poolIds } from '../local/identity/model.ts';

/** The probe's sign-ins at the emulation of Cognito; as it is in dev, and in prod, where nobody gets in without a second factor. */

/** The probe's own trigger, in this process. */
function triggerOf(OWN_ACCOUNT_CLIENT_ID: string) {
  const exports: { handler?: (event: unknown) => Promise<unknown> } = {};
  new Function('exports', 'process', probeTrigger)(exports, { env: { OWN_ACCOUNT_CLIENT_ID } });
  return async (_: string, event: unknown) => {
    try {
      return { ok: true as const, payload: await exports.handler?.(event), initMs: null, durationMs: 1 };
    } catch (error) {
      return invokeFailure('error', 'Error', error instanceof Error ? error.message : '');
    }
  };
}

async function probed(secondFactor: 'OPTIONAL' | 'ON') {
  const clients = { ClientId: 'crmclient', ownAccountClientId: 'ownclient' };
  const fixed = { rotationGraceSeconds: null };
  const made = await cognito({
    pools: [
      pool('medinfo', {
        clients: [
          client(clients.ClientId, 'mobile-app', fixed),
          client(clients.ownAccountClientId, 'own-account', fixed),
        ],
        groups: ['physician'],
        secondFactor,
        tokenTrigger: { functionArn: 'trigger', isRefused: false, timeoutMs: 5_000 },
      }),
    ],
    invoke: triggerOf(clients.ownAccountClientId),
  });
  const sleep = async (milliseconds: number) => made.pass(milliseconds);
  return probedCognito(poolIds.medinfo, clients, { setUp: made.client, measured: made.client, now: made.now, sleep });
}

test.each(['OPTIONAL', 'ON'] as const)('with a second factor that is %s, each case signs in', async (secondFactor) => {
  const { signIn, renew, revokeText, rightCodeAfterWrong, deleteApp } = await probed(secondFactor);
  expect(await signIn('PROBE@EXAMPLE.COM')).toBe(secondFactor === 'ON' ? 'MFA_SETUP' : 'signed in');
  expect(await renew()).toEqual(['the token stays', 'the token stays']);
  expect(await revokeText()).toMatch(/^(InvalidParameter|NotAuthorized|Unauthorized|Unsupported)|^done$/);
  expect(await rightCodeAfterWrong()).toBe('signed in');
  // Again, with the app that is there now.
  expect(await renew()).toEqual(['the token stays', 'the token stays']);
  expect(await rightCodeAfterWrong()).toBe('signed in');
  const next = secondFactor === 'ON' ? 'MFA_SETUP' : 'signed in';
  expect(await deleteApp()).toEqual(['deleted', 'deleted', next]);
  // With another one.
  expect(await rightCodeAfterWrong()).toBe('signed in');
});

test.each(['OPTIONAL', 'ON'] as const)(
  'the trigger and the second client, where a factor is %s',
  async (secondFactor) => {
    const { scopes, failingTrigger, appOfTwoTokens, rightCodeAfterWrong } = await probed(secondFactor);
    expect(await scopes()).toEqual({
      scopes: [null, null, 'aws.cognito.signin.user.admin'],
      groups: ['physician'],
      looks: ['NotAuthorizedException', 'NotAuthorizedException', 'answered'],
    });
    expect(await failingTrigger()).toEqual(['UserLambdaValidationException', 'renewed']);
    expect(await appOfTwoTokens()).toBe('SUCCESS');
    // With the app that was set up so, where the account has one.
    expect(await rightCodeAfterWrong()).toBe('signed in');
  },
);

test.each(['OPTIONAL', 'ON'] as const)(
  'codes before and after, a disabled user and a temporary password, where a factor is %s',
  async (secondFactor) => {
    const { windowOfCodes, disabledUser, temporaryPassword, rightCodeAfterWrong } = await probed(secondFactor);
    expect(await windowOfCodes()).toEqual([-1, 0, 1]);
    expect(await disabledUser()).toEqual(['User is disabled.', 'Incorrect username or password.']);
    expect(await temporaryPassword()).toBe('NEW_PASSWORD_REQUIRED');
    expect(await rightCodeAfterWrong()).toBe('signed in');
  },
);

test('the public operations are asked one by one; none of them runs here', async () => {
  const { publicOperations } = await probed('OPTIONAL');
  const answers = await publicOperations();
  expect(Object.keys(answers)).toContain('ForgotPassword');
  expect(new Set(Object.values(answers))).toEqual(new Set(['UnknownOperationException']));
});

test('a token that was revoked renews nothing', async () => {
  const { renewAfterRevoking } = await probed('OPTIONAL');
  expect(await renewAfterRevoking()).toEqual({ renewal: 'NotAuthorizedException', again: 'done' });
});

test.each(['OPTIONAL', 'ON'] as const)('only the case of the code, where it is %s', async (secondFactor) => {
  const { rightCodeAfterWrong } = await probed(secondFactor);
  expect(await rightCodeAfterWrong()).toBe('signed in');
});
