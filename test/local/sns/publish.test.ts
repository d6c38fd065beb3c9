import { randomUUID } from 'node:crypto';
import {
  PublishCommand,
  SetEndpointAttributesCommand,
  SetPlatformApplicationAttributesCommand,
} from '@aws-sdk/client-sns';
import { afterAll, expect, test, vi } from 'vitest';
import type { Push } from '../../../lib/local/sns/sns.ts';
import { attributes, clientOf, place, silent, silentAttributes, startTestSns } from './client.ts';

const seen: Push[] = [];
const noon = Date.parse('2026-03-01T12:00:00Z');
const sns = await startTestSns({ now: () => noon, onPush: (push) => seen.push(push) });
afterAll(() => sns.close());

const to = (arn: string) => sns.pushes(({ endpointArn }) => endpointArn === arn);

test('a push is kept with its input, what APNs gets, and what the phone makes of it', async () => {
  const arn = await sns.endpoint('APNS', 'ab12', 'user-1');
  const { MessageId } = await sns.publish(arn, { MessageAttributes: silentAttributes });
  const kept = {
    time: '2026-03-01T12:00:00.000Z',
    messageId: MessageId,
    endpointArn: arn,
    token: 'ab12',
    platform: 'APNS',
    customUserData: 'user-1',
    request: { TargetArn: arn, Message: silent, MessageStructure: 'json', MessageAttributes: silentAttributes },
    delivery: {
      service: 'apns',
      environment: 'production',
      headers: {
        'apns-push-type': 'background',
        'apns-priority': '5',
        'apns-expiration': String(noon / 1000 + 3600),
        'apns-topic': 'com.example.sleepcare',
        'apns-collapse-id': 'badge_sync',
      },
      payload: { aps: { 'content-available': 1 }, data: { type: 'badge_sync', badge: '3' } },
    },
    presentation: { kind: 'silent', banner: null, sound: null, badge: null, data: { type: 'badge_sync', badge: '3' } },
    failure: null,
  };
  expect(to(arn)).toEqual([kept]);
  expect(seen).toContainEqual(kept);
});

test('the same message reaches Android as the v1 message, with the token of the moment', async () => {
  const arn = await sns.endpoint('GCM', 'old');
  const change = { EndpointArn: arn, Attributes: { Token: 'new' } };
  await sns.publish(arn);
  await sns.client.send(new SetEndpointAttributesCommand(change));
  await sns.publish(arn);
  expect(to(arn).map(({ token, delivery }) => [token, delivery])).toMatchObject([
    ['old', { service: 'fcm', message: { token: 'old', data: { badge: '3' } } }],
    ['new', { service: 'fcm', message: { token: 'new', android: { ttl: '3600s' } } }],
  ]);
});

test('a binary attribute and a subject are kept as they were given', async () => {
  const arn = await sns.endpoint('GCM', randomUUID());
  const MessageAttributes = { bytes: { DataType: 'Binary', BinaryValue: Buffer.from('ä') } };
  await sns.publish(arn, { Message: 'a+b & ü', MessageStructure: undefined, Subject: 's', MessageAttributes });
  expect(to(arn)[0]?.request).toEqual({
    TargetArn: arn,
    Message: 'a+b & ü',
    Subject: 's',
    MessageAttributes: { bytes: { DataType: 'Binary', BinaryValue: 'w6Q=' } },
  });
});

test('two hundred at the same time are each kept once', async () => {
  const arns = await Promise.all(Array.from({ length: 20 }, () => sns.endpoint('GCM', randomUUID())));
  const all = await Promise.all(arns.flatMap((arn) => Array.from({ length: 10 }, () => sns.publish(arn))));
  const kept = sns.pushes(({ endpointArn }) => arns.includes(endpointArn)).map(({ messageId }) => messageId);
  expect(new Set(kept)).toEqual(new Set(all.map(({ MessageId }) => MessageId)));
  expect(kept.length).toBe(200);
});

test('the oldest pushes are forgotten beyond the limit', async () => {
  const small = await startTestSns({ maximumPushes: 3 });
  const arn = await small.endpoint('GCM', 't');
  const ids: (string | undefined)[] = [];
  for (let count = 0; count < 8; count += 1) ids.push((await small.publish(arn)).MessageId);
  expect(small.pushes().map(({ messageId }) => messageId)).toEqual(ids.slice(-3));
  await small.close();
});

test('a hook that throws spoils no push', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const onPush = () => {
    throw new Error('spectator');
  };
  const other = await startTestSns({ onPush });
  await other.publish(await other.endpoint('GCM', 't'));
  expect(other.pushes().length).toBe(1);
  expect(report).toHaveBeenCalledWith('A hook for pushes failed:', expect.objectContaining({ message: 'spectator' }));
  report.mockRestore();
  await other.close();
});

test('APNs refuses a background push with priority 10 after Publish has succeeded, and the endpoint stays enabled', async () => {
  const arn = await sns.endpoint('APNS');
  const MessageAttributes = { ...silentAttributes, ...attributes({ 'APNS.PRIORITY': '10' }) };
  const { MessageId } = await sns.publish(arn, { MessageAttributes });
  expect(MessageId).toEqual(expect.any(String));
  expect(to(arn)[0]?.failure).toEqual({
    type: 'InvalidNotification',
    message: 'Notification body is invalid',
    reason: 'BadPriority: a background push with apns-priority 10',
  });
  await sns.publish(arn);
  expect(to(arn)[1]?.failure).toBeNull();
});

test('a disabled application answers PlatformApplicationDisabled', async () => {
  const arn = await sns.endpoint('APNS_SANDBOX');
  const PlatformApplicationArn = await sns.application('APNS_SANDBOX');
  const set = (Enabled: string) =>
    sns.client.send(new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn, Attributes: { Enabled } }));
  await set('false');
  const error = { name: 'PlatformApplicationDisabledException', message: 'Platform application is disabled' };
  await expect(sns.publish(arn)).rejects.toMatchObject(error);
  await set('true');
  await sns.publish(arn);
});

test('what IAM denies is AuthorizationError, in SNS its own sentence', async () => {
  const arn = `arn:aws:sns:${place.region}:${place.accountId}:endpoint/GCM/a/b`;
  const asked: object[] = [];
  const guarded = await startTestSns({
    authorize: ({ action, resource, accessKeyId, parameters }) => {
      asked.push({ action, resource, accessKeyId, TargetArn: parameters.TargetArn });
      return { action: `sns:${action}`, resource, principal: 'arn:aws:iam::123456789012:role/r', reason: 'because no' };
    },
  });
  const client = clientOf(guarded.url, { accessKeyId: 'SOMEBODY' });
  await expect(client.send(new PublishCommand({ TargetArn: arn, Message: 'x' }))).rejects.toMatchObject({
    name: 'AuthorizationErrorException',
    message: `User: arn:aws:iam::123456789012:role/r is not authorized to perform: SNS:Publish on resource: ${arn} because no`,
    $metadata: { httpStatusCode: 403 },
  });
  expect(asked).toEqual([{ action: 'Publish', resource: arn, accessKeyId: 'SOMEBODY', TargetArn: arn }]);
  client.destroy();
  await guarded.close();
});
