import {
  AssociateSoftwareTokenCommand,
  DeleteUserCommand,
  GetUserAuthFactorsCommand,
  GetUserCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { describe, expect, test } from 'vitest';
import { type InvokeResult, invokeFailure } from '../../../lib/local/functions/result.ts';
import { cognito, password, payloadOf } from './cognito.ts';
import { client, pool } from './model.ts';

const ada = 'ada@example.com';
const scope = 'aws.cognito.signin.user.admin';

/** @param answer the trigger's, of each call */
async function withTrigger(answer: (event: object) => InvokeResult | Promise<InvokeResult>, isRefused = false) {
  const events: object[] = [];
  const made = await cognito({
    pools: [
      pool('sleepcare', {
        clients: [client('appclient', 'mobile-app')],
        groups: ['patient'],
        tokenTrigger: { functionArn: 'trigger', isRefused, timeoutMs: 60_000 },
      }),
    ],
    invoke: async (_, event) => {
      events.push(event as object);
      return answer(event as object);
    },
  });
  await made.create(ada, password, { groups: ['patient'] });
  return { ...made, events };
}

const ok = (payload: unknown): InvokeResult => ({ ok: true, payload, initMs: null, durationMs: 1 });
const answering = (claimsAndScopeOverrideDetails: object | null) => (event: object) =>
  ok({ ...event, response: { claimsAndScopeOverrideDetails } });

describe('the trigger before a token', () => {
  test('is called at each sign-in and renewal, with an event of version 2', async () => {
    const { signIn, renew, events } = await withTrigger(answering(null));
    const { AccessToken, RefreshToken } = (await signIn(ada, password)).AuthenticationResult ?? {};
    expect(payloadOf(AccessToken)).toMatchObject({ scope, 'cognito:groups': ['patient'] });
    await renew(RefreshToken);
    expect(events).toMatchObject([
      {
        version: '2',
        triggerSource: 'TokenGeneration_Authentication',
        callerContext: { clientId: 'appclient' },
        request: {
          userAttributes: { email: ada, sub: payloadOf(AccessToken).sub },
          groupConfiguration: { groupsToOverride: ['patient'] },
          scopes: [scope],
        },
      },
      { triggerSource: 'TokenGeneration_RefreshTokens' },
    ]);
    expect(JSON.stringify(events)).not.toContain('clientMetadata');
  });

  test('takes scopes; a token without the scope is refused by what a user does alone', async () => {
    const { signIn, client: sdk } = await withTrigger(
      answering({
        accessTokenGeneration: { scopesToSuppress: [scope] },
        groupOverrideDetails: { groupsToOverride: ['patient'] },
      }),
    );
    const { AccessToken } = (await signIn(ada, password)).AuthenticationResult ?? {};
    expect(payloadOf(AccessToken).scope).toBeUndefined();
    expect(payloadOf(AccessToken)['cognito:groups']).toEqual(['patient']);
    const refused = { name: 'NotAuthorizedException', message: 'Access Token does not have required scopes' };
    for (const command of [
      new GetUserCommand({ AccessToken }),
      new DeleteUserCommand({ AccessToken }),
      new AssociateSoftwareTokenCommand({ AccessToken }),
      // It does not run here; the token is looked at first.
      new GetUserAuthFactorsCommand({ AccessToken }),
    ]) {
      await expect(sdk.send(command as GetUserCommand)).rejects.toMatchObject(refused);
    }
  });

  test('takes the groups where it does not hand them back', async () => {
    const { signIn } = await withTrigger(answering({ accessTokenGeneration: { scopesToAdd: ['other'] } }));
    const { AccessToken } = (await signIn(ada, password)).AuthenticationResult ?? {};
    expect(payloadOf(AccessToken)['cognito:groups']).toBeUndefined();
    expect(payloadOf(AccessToken).scope).toBe(`${scope} other`);
  });

  test.each<[string, InvokeResult, boolean, string, string]>([
    [
      'throws',
      invokeFailure('error', 'Error', 'why'),
      false,
      'UserLambdaValidationException',
      'PreTokenGeneration failed with error why.',
    ],
    [
      'ends its process',
      invokeFailure('crash', 'Runtime.ExitError', 'exit'),
      false,
      'UserLambdaValidationException',
      'exit',
    ],
    [
      'is throttled',
      invokeFailure('rejected', 'TooManyRequestsException', ''),
      false,
      'UnexpectedLambdaException',
      'TooManyRequestsException',
    ],
    ['answers nothing', ok(null), false, 'InvalidLambdaResponseException', 'Unrecognizable lambda output'],
    ['may not be called', ok({}), true, 'UnexpectedLambdaException', 'AccessDeniedException'],
  ])('%s: there is no token', async (_, result, isRefused, name, message) => {
    const { signIn, events } = await withTrigger(() => result, isRefused);
    await expect(signIn(ada, password)).rejects.toMatchObject({ name, message: expect.stringContaining(message) });
    expect(events).toHaveLength(isRefused ? 0 : 1);
    await expect(signIn(ada, 'a-wrong-passphrase')).rejects.toMatchObject({ name: 'NotAuthorizedException' });
  });

  test('that is late is called three times', async () => {
    const { signIn, events } = await withTrigger(() => invokeFailure('timeout', 'Sandbox.Timedout', ''));
    await expect(signIn(ada, password)).rejects.toMatchObject({ name: 'UnexpectedLambdaException' });
    expect(events).toHaveLength(3);
  });
});
