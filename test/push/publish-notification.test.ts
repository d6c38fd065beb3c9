import { CreatePlatformEndpointCommand, DeleteEndpointCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Notification, Target } from '../../functions/push/rules/notification.ts';
import { publish, send } from '../../functions/push/stores/publish-notification.ts';
import type { Fault } from '../../lib/local/service/faults.ts';
import { startSns } from '../../lib/local/sns/sns.ts';
import { callLimits } from '../../lib/runtime/limits.ts';

/** What becomes of a push, as a value: no error of SNS, the connection or the SDK comes through. */

const application = 'arn:aws:sns:eu-central-1:123456789012:app/GCM/test-android';
const place = { region: 'eu-central-1', accountId: '123456789012' };
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const notification: Notification = { type: 'agent_board', messageId: 'm1', badge: 1 };

let fault: Fault | 'denied' | undefined;
let calls = 0;
let onCall: (() => void) | undefined;
const opened: SNSClient[] = [];

const sns = await startSns({
  ...place,
  platformApplications: [{ platform: 'GCM', arn: application }],
  authorize: () => (fault === 'denied' ? { action: 'sns:Publish', resource: '*' } : undefined),
  intercept: ({ action }) => {
    if (action !== 'Publish' || fault === 'denied') return undefined;
    calls += 1;
    onCall?.();
    return fault;
  },
});
beforeEach(() => {
  fault = undefined;
  onCall = undefined;
  calls = 0;
});
afterAll(async () => {
  for (const client of opened) client.destroy();
  await sns.close();
});

/** As often as a function tries, and without its time-outs, within which a busy machine may not answer. */
const patient = { maxAttempts: callLimits.maxAttempts };

function sender(limits: object = patient, endpoint = sns.url) {
  const client = new SNSClient({ endpoint, region: place.region, credentials, ...limits });
  opened.push(client);
  return { client, bundleId: 'com.example.sleepcare' };
}

async function device(token: string): Promise<Target> {
  const made = new CreatePlatformEndpointCommand({ PlatformApplicationArn: application, Token: token });
  const { EndpointArn = '' } = await sender().client.send(made);
  return { platform: 'android', environment: 'production', endpointArn: EndpointArn, locale: 'en' };
}

test('sent: with the id by which SNS knows it', async () => {
  const published = await publish(sender(), await device('well'), notification);
  expect(published).toEqual({ outcome: 'sent', snsMessageId: sns.pushes().at(-1)?.messageId });
});

describe('by the token', () => {
  test.each([
    ['fail-disabled-1', { outcome: 'disabled' }],
    ['fail-invalid-1', { outcome: 'rejected', because: 'endpoint' }],
  ])('%s', async (token, outcome) => {
    expect(await publish(sender(), await device(token), notification)).toEqual(outcome);
  });

  test('fail-timeout-1, as often as a function tries', async () => {
    const hasty = { ...callLimits, requestHandler: { ...callLimits.requestHandler, requestTimeout: 50 } };
    const sending = sender(hasty);
    let tries = 0;
    // Counted where they are sent: on a busy machine a try may end before SNS has seen it.
    sending.client.middlewareStack.add(
      (next) => async (request) => {
        tries += 1;
        return next(request);
      },
      { step: 'deserialize', priority: 'low' },
    );
    const outcome = { outcome: 'unavailable', error: 'TimeoutError' };
    expect(await publish(sending, await device('fail-timeout-1'), notification)).toEqual(outcome);
    expect(tries).toBe(callLimits.maxAttempts);
  });

  test('fail-throttled: a client that gives up at once gets the error; one that tries again gets through', async () => {
    const phone = await device('fail-throttled-1');
    expect(await publish(sender({ maxAttempts: 1 }), phone, notification)).toEqual({ outcome: 'throttled' });
    expect(await publish(sender(), phone, notification)).toMatchObject({ outcome: 'sent' });
  });
});

test('rejected because of the endpoint: it was deleted', async () => {
  const phone = await device('gone');
  await sender().client.send(new DeleteEndpointCommand({ EndpointArn: phone.endpointArn }));
  expect(await publish(sender(), phone, notification)).toEqual({ outcome: 'rejected', because: 'endpoint' });
});

test('rejected because of the request, which is no fault of the device', async () => {
  const { endpointArn: TargetArn } = await device('well');
  const outcome = { outcome: 'rejected', because: 'request' };
  for (const Message of ['{"APNS":"{}"}', '{', JSON.stringify({ GCM: `{"x":"${'x'.repeat(5000)}"}` })]) {
    expect(await send(sender(), { TargetArn, MessageStructure: 'json', Message })).toEqual(outcome);
  }
});

test('unavailable: SNS fails, or nothing answers', async () => {
  const phone = await device('well');
  fault = 'error';
  expect(await publish(sender(), phone, notification)).toMatchObject({ outcome: 'unavailable' });
  expect(calls).toBe(callLimits.maxAttempts);
  const nowhere = await publish(sender(patient, 'http://127.0.0.1:9'), phone, notification);
  expect(nowhere).toMatchObject({ outcome: 'unavailable' });
});

test('throttled: for longer than the SDK tries', async () => {
  const phone = await device('well');
  fault = 'throttle';
  expect(await publish(sender(), phone, notification)).toEqual({ outcome: 'throttled' });
  expect(calls).toBe(callLimits.maxAttempts);
});

test('a missing grant is unavailable, too, and its name is for the log', async () => {
  const phone = await device('well');
  fault = 'denied';
  const published = await publish(sender(), phone, notification);
  expect(published).toEqual({ outcome: 'unavailable', error: 'Unexpected.AuthorizationErrorException' });
});

test('a sender that gives up does not wait', async () => {
  const phone = await device('well');
  fault = 'hang';
  const sending = new AbortController();
  onCall = () => sending.abort();
  // Its client has no time-out: nothing else would end the call.
  const published = await publish({ ...sender(), abortSignal: sending.signal }, phone, notification);
  expect(published).toMatchObject({ outcome: 'unavailable' });
  expect(calls).toBe(1);
});
