import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteEndpointCommand, SetEndpointAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { noteEvent } from '../../functions/push/workflows/mark-disabled-device.ts';
import { lambdaEvent } from '../../lib/local/sns/sns.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { handlesNamed } from '../tables.ts';
import { pushStage, token } from './delivery-stage.ts';

/** What SNS tells of endpoints comes back to the devices. */

const { stage, patient, post, got, settled, faults, log } = pushStage();

const snsClient = () => {
  const { snsEndpoint: endpoint, region, credentials } = stage().data;
  return new SNSClient({ endpoint, region, credentials });
};
const endpointOf = (phone: string) =>
  stage()
    .sns?.endpoints()
    .find((each) => each.token === phone)?.arn ?? '';
const noted = (outcome: string) => log.filter((line) => line.includes('"endpoint event"') && line.includes(outcome));
/** Alarms have one of their own, which no function of ours hears. */
const topic = () =>
  stage()
    .model()
    .topics.find(({ subscriptions }) => subscriptions.length > 0);

test('a phone whose app is gone is disabled by the push that it did not get; a fresh token brings it back', async () => {
  const [gone, other] = [token('fail-gone'), token()];
  const { userId, devices, register } = await patient(gone, other);
  await post(userId);
  await settled();
  expect(await devices()).toEqual(['disabled', 'active']);
  await post(userId);
  await settled();
  expect(got(other)).toHaveLength(2);
  expect(got(gone)).toHaveLength(1);
  const fresh = token();
  await register(0, fresh);
  expect(await devices()).toEqual(['active', 'active']);
  const messageId = await post(userId);
  await settled();
  expect(got(fresh)).toEqual([`agent_board ${messageId}`]);
  expect(await devices()).toEqual(['active', 'active']);
  expect(log.join('\n')).not.toMatch(new RegExp(`${userId}|:endpoint/`));
});

test('an endpoint that somebody disables or deletes at SNS disables its device', async () => {
  const [disabled, deleted, kept] = [token(), token(), token()];
  const { devices } = await patient(disabled, deleted, kept);
  const client = snsClient();
  const Attributes = { Enabled: 'false' };
  await client.send(new SetEndpointAttributesCommand({ EndpointArn: endpointOf(disabled), Attributes }));
  await client.send(new DeleteEndpointCommand({ EndpointArn: endpointOf(deleted) }));
  const CustomUserData = 'words';
  const EndpointArn = endpointOf(kept);
  await client.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes: { CustomUserData } }));
  await settled();
  expect(await devices()).toEqual(['disabled', 'disabled', 'active']);
  expect(noted('"enabled"')).toHaveLength(1);
});

test('an old event, and the same again, undo no registration', async () => {
  const phone = token();
  const { devices } = await patient(phone);
  const message = { EventType: 'DeliveryFailure', FailureType: 'InvalidPlatformToken', EndpointArn: endpointOf(phone) };
  const event = eventOf(message);
  for (const _ of [1, 2]) await stage().invoke(topic()?.subscriptions[0]?.functionArn ?? '', event);
  expect(noted('"enabled"')).toHaveLength(2);
  expect(await devices()).toEqual(['active']);
});

test('a registration between the question and the mark stands', async () => {
  const phone = token();
  const { devices, register } = await patient(phone);
  const endpointArn = endpointOf(phone);
  const { endpoint, region, credentials, tables } = stage().data;
  const data = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const send = async () => {
    await register(0, phone);
    return { Attributes: { Enabled: 'false' } };
  };
  const noting = {
    sns: { send } as unknown as SNSClient,
    tables: handlesNamed(data, ['DeviceTokens', 'Devices'], tables),
  };
  await noteEvent({ endpointArn, type: 'EndpointUpdated', failure: null, means: 'ask' }, noting);
  data.destroy();
  expect(await devices()).toEqual(['active']);
});

test('where SNS does not answer the event is tried again', async () => {
  const phone = token();
  const { devices } = await patient(phone);
  let refused = 0;
  faults.sns = ({ action, parameters }) => {
    if (action !== 'GetEndpointAttributes' || parameters.EndpointArn !== EndpointArn || refused >= 3) return undefined;
    refused += 1;
    return 'error';
  };
  const EndpointArn = endpointOf(phone);
  await snsClient().send(new SetEndpointAttributesCommand({ EndpointArn, Attributes: { Enabled: 'false' } }));
  await settled();
  expect(await devices()).toEqual(['disabled']);
  expect(refused).toBeGreaterThan(0);
  expect(log.join('\n')).not.toContain(':endpoint/');
});

test('another failure is logged by its type, and the device stays', async () => {
  const phone = token();
  const { devices } = await patient(phone);
  const message = { EventType: 'DeliveryFailure', FailureType: 'PayloadTooLarge', EndpointArn: endpointOf(phone) };
  await stage().invoke(topic()?.subscriptions[0]?.functionArn ?? '', eventOf(message));
  expect(noted('PayloadTooLarge').join('\n')).toContain('"level":"WARN"');
  expect(log.join('\n')).not.toContain(':endpoint/');
  expect(await devices()).toEqual(['active']);
});

function eventOf(message: object) {
  const Timestamp = new Date().toISOString();
  return lambdaEvent({
    Type: 'Notification',
    MessageId: 'one',
    TopicArn: topic()?.arn ?? '',
    Subject: 'event',
    Message: JSON.stringify(message),
    Timestamp,
  });
}
