import {
  CreatePlatformEndpointCommand,
  GetEndpointAttributesCommand,
  PublishCommand,
  SetEndpointAttributesCommand,
} from '@aws-sdk/client-sns';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Fault } from '../../../lib/local/service/faults.ts';
import { type SnsCall, startSns } from '../../../lib/local/sns/sns.ts';
import { givenUp } from '../given-up.ts';
import { clientOf, place, startTestSns } from './client.ts';

let intercept: ((call: SnsCall) => Fault | undefined) | undefined;
const sns = await startTestSns({ intercept: (call) => intercept?.(call) });
afterAll(() => sns.close());

async function publishAndGiveUp(TargetArn: string, fault?: Fault) {
  const come = Promise.withResolvers<void>();
  intercept = ({ action }) => {
    if (action !== 'Publish') return undefined;
    come.resolve();
    return fault;
  };
  const publish = new PublishCommand({ TargetArn, Message: 'x' });
  return givenUp(
    (abortSignal) => sns.client.send(publish, { abortSignal }),
    come.promise,
    () => isEnabled(TargetArn),
  ).finally(() => {
    intercept = undefined;
  });
}
const to = (arn: string) => sns.pushes(({ endpointArn }) => endpointArn === arn);
const isEnabled = async (EndpointArn: string) =>
  (await sns.client.send(new GetEndpointAttributesCommand({ EndpointArn }))).Attributes?.Enabled;
const set = (EndpointArn: string, Attributes: Record<string, string>) =>
  sns.client.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes }));
const disabled = {
  name: 'EndpointDisabledException',
  message: 'Endpoint is disabled',
  $metadata: { httpStatusCode: 400 },
};

test('fail-disabled: the endpoint becomes disabled, until it has another token and is enabled', async () => {
  const arn = await sns.endpoint('APNS', 'fail-disabled-1');
  expect(await isEnabled(arn)).toBe('true');
  await expect(sns.publish(arn)).rejects.toMatchObject(disabled);
  expect(await isEnabled(arn)).toBe('false');
  await set(arn, { Enabled: 'true' });
  await expect(sns.publish(arn)).rejects.toMatchObject(disabled);
  await set(arn, { Token: 'ab' });
  await expect(sns.publish(arn)).rejects.toMatchObject(disabled);
  await set(arn, { Enabled: 'true' });
  await sns.publish(arn);
  expect(to(arn).length).toBe(1);
});

test('fail-throttled: twice Throttled, then delivered, for each token', async () => {
  const throttled = { name: 'ThrottledException', message: 'Rate exceeded', $metadata: { httpStatusCode: 429 } };
  for (const token of ['fail-throttled-1', 'fail-throttled-2']) {
    const arn = await sns.endpoint('GCM', token);
    await expect(sns.publish(arn)).rejects.toMatchObject(throttled);
    await expect(sns.publish(arn)).rejects.toMatchObject(throttled);
    expect(to(arn)).toEqual([]);
    await sns.publish(arn);
    await sns.publish(arn);
    expect(to(arn).length).toBe(2);
  }
});

test("fail-throttled: the SDK's own three attempts are enough", async () => {
  const client = clientOf(sns.url, { maxAttempts: 3 });
  // The SDK waits before an attempt for a random part of a second or two.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
  const TargetArn = await sns.endpoint('GCM', 'fail-throttled-3');
  const { $metadata } = await client.send(new PublishCommand({ TargetArn, Message: 'x' }));
  expect($metadata.attempts).toBe(3);
  expect(to(TargetArn).length).toBe(1);
  client.destroy();
});

test('fail-timeout: no answer until the client gives up', async () => {
  const arn = await sns.endpoint('APNS_SANDBOX', 'fail-timeout-1');
  await expect(publishAndGiveUp(arn)).rejects.toMatchObject({ name: 'AbortError' });
  expect(to(arn)).toEqual([]);
});

test('fail-invalid: InvalidParameter, with the endpoint still enabled', async () => {
  const arn = await sns.endpoint('APNS', 'fail-invalid-1');
  await expect(sns.publish(arn)).rejects.toMatchObject({
    name: 'InvalidParameterException',
    message: 'Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified',
  });
  expect(await isEnabled(arn)).toBe('true');
});

test('fail-gone: accepted, never delivered, and then disabled', async () => {
  const arn = await sns.endpoint('APNS', 'fail-gone-1');
  await sns.publish(arn);
  expect(to(arn)[0]?.failure).toEqual({
    type: 'InvalidPlatformToken',
    message: 'Platform token associated with the endpoint is not valid',
    reason: 'Unregistered',
  });
  await expect(sns.publish(arn)).rejects.toMatchObject(disabled);
  expect(to(arn).length).toBe(1);
});

test('faults of a test: throttle, error and hang do nothing, a lost response has done it', async () => {
  const arn = await sns.endpoint('GCM', 'tok');
  const expected = { throttle: 'ThrottledException', error: 'InternalErrorException' } as const;
  for (const fault of ['throttle', 'error'] as const) {
    intercept = () => fault;
    await expect(sns.publish(arn)).rejects.toMatchObject({ name: expected[fault] });
  }
  await expect(publishAndGiveUp(arn, 'hang')).rejects.toMatchObject({ name: 'AbortError' });
  expect(to(arn)).toEqual([]);
  intercept = ({ action }) => (action === 'Publish' ? 'lose-response' : undefined);
  await expect(sns.publish(arn)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(to(arn).length).toBe(1);
  intercept = undefined;
});

test('a server that closes waits for no hanging call', async () => {
  const platformApplications = [{ name: 'a', platform: 'GCM' }] as const;
  const come = Promise.withResolvers<void>();
  const other = await startSns({
    ...place,
    platformApplications,
    intercept: ({ action }) => {
      if (action === 'Publish') come.resolve();
      return undefined;
    },
  });
  const client = clientOf(other.url);
  const PlatformApplicationArn = other.platformApplications()[0]?.arn;
  const create = new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token: 'fail-timeout-2' });
  const { EndpointArn } = await client.send(create);
  const publish = client.send(new PublishCommand({ TargetArn: EndpointArn, Message: 'x' }));
  const lost = expect(publish).rejects.toMatchObject({ code: 'ECONNRESET' });
  await come.promise;
  await other.close();
  await lost;
  client.destroy();
});
