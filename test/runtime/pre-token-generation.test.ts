import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { preTokenGeneration } from '../../lib/runtime/pre-token-generation.ts';

const groupConfiguration = { groupsToOverride: ['patient'], iamRolesToOverride: [], preferredRole: undefined };
const event = (clientId: string, clientMetadata = {}): PreTokenGenerationV2TriggerEvent => ({
  version: '2',
  triggerSource: 'TokenGeneration_Authentication',
  region: 'eu-central-1',
  userPoolId: 'eu-central-1_a',
  userName: 'u',
  callerContext: { awsSdkVersion: 'x', clientId },
  request: {
    userAttributes: {},
    groupConfiguration,
    scopes: ['aws.cognito.signin.user.admin'],
    clientMetadata,
  },
  response: { claimsAndScopeOverrideDetails: {} },
});
const taken = {
  claimsAndScopeOverrideDetails: {
    accessTokenGeneration: { scopesToSuppress: ['aws.cognito.signin.user.admin'] },
    groupOverrideDetails: groupConfiguration,
  },
};
const trigger = (variables: Record<string, string>) => preTokenGeneration({ variables });

test('takes the scope from every client but one, and keeps the groups', async () => {
  const asked = trigger({ OWN_ACCOUNT_CLIENT_ID: 'own' });
  expect((await asked(event('app'))).response).toEqual(taken);
  expect((await asked(event('integration'))).response).toEqual(taken);
  expect(await asked(event('own'))).toEqual(event('own'));
});

/** Any look at what the caller says is an error. */
const unread = () => {
  throw new Error('what a caller says was looked at');
};
const neverRead: Record<string, string> = new Proxy({}, { get: unread, has: unread, ownKeys: unread });

test('what a caller says decides nothing, and without the variable nobody keeps the scope', async () => {
  const said = { clientId: 'own', OWN_ACCOUNT_CLIENT_ID: 'app', keep: 'true' };
  for (const metadata of [said, neverRead])
    expect((await trigger({ OWN_ACCOUNT_CLIENT_ID: 'own' })(event('app', metadata))).response).toEqual(taken);
  for (const variables of [{}, { OWN_ACCOUNT_CLIENT_ID: '' }]) {
    for (const client of ['own', '', 'undefined']) {
      expect((await trigger(variables as Record<string, string>)(event(client))).response).toEqual(taken);
    }
  }
});
