import { expect, test } from 'vitest';
import { authorizeAccess, type Statement } from '../../../lib/local/iam.ts';
import { snsAccesses } from '../../../lib/local/sns/sns.ts';
import { place } from './client.ts';

const account = 'arn:aws:sns:eu-central-1:123456789012:';

test.each([
  ['Publish', { TargetArn: `${account}endpoint/GCM/a/b` }, 'endpoint/GCM/a/b'],
  ['Publish', { TopicArn: `${account}news` }, 'news'],
  ['Publish', { PhoneNumber: '+49' }, '*'],
  ['GetEndpointAttributes', { EndpointArn: `${account}endpoint/GCM/a/b` }, 'endpoint/GCM/a/b'],
  ['CreatePlatformEndpoint', { PlatformApplicationArn: `${account}app/GCM/a` }, 'app/GCM/a'],
  ['CreatePlatformApplication', { Platform: 'GCM', Name: 'a' }, 'app/GCM/a'],
  ['ListPlatformApplications', {}, '*'],
])('%s of %o is on %s', (action, parameters, relative) => {
  const access = { action: `sns:${action}`, resource: account + relative, context: {}, unknown: [] };
  expect(snsAccesses({ action, parameters }, place)).toEqual([access]);
});

test("the stage's evaluator takes it", () => {
  const call = { action: 'Publish', parameters: { TargetArn: `${account}endpoint/APNS/sleepcare/1` } };
  const judged = (Resource: string) => {
    const statements: Statement[] = [{ Effect: 'Allow', Action: 'sns:Publish', Resource }];
    const principal = { arn: 'arn:aws:iam::123456789012:role/sender', statements };
    return snsAccesses(call, place).map((access) => authorizeAccess(access, principal));
  };
  expect(judged(`${account}endpoint/APNS/sleepcare/*`)).toEqual([undefined]);
  expect(judged(`${account}endpoint/GCM/*`)).toMatchObject([
    { action: 'sns:Publish', resource: call.parameters.TargetArn },
  ]);
});
