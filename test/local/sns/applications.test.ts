import {
  CreatePlatformApplicationCommand,
  DeletePlatformApplicationCommand,
  GetPlatformApplicationAttributesCommand,
  ListEndpointsByPlatformApplicationCommand,
  ListPlatformApplicationsCommand,
  SetPlatformApplicationAttributesCommand,
} from '@aws-sdk/client-sns';
import { afterEach, expect, test } from 'vitest';
import { startTestSns } from './client.ts';

type TestSns = Awaited<ReturnType<typeof startTestSns>>;
const started: TestSns[] = [];
afterEach(async () => {
  for (const sns of started.splice(0)) await sns.close();
});
async function start(...options: Parameters<typeof startTestSns>): Promise<TestSns> {
  const sns = await startTestSns(...options);
  started.push(sns);
  return sns;
}

const arnOf = (platform: string, name: string) => `arn:aws:sns:eu-central-1:123456789012:app/${platform}/${name}`;
const read = async ({ client }: TestSns, PlatformApplicationArn: string) =>
  (await client.send(new GetPlatformApplicationAttributesCommand({ PlatformApplicationArn }))).Attributes;
const set = ({ client }: TestSns, PlatformApplicationArn: string, Attributes: Record<string, string>) =>
  client.send(new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn, Attributes }));
const invalid = (message: string) => ({ name: 'InvalidParameterException', message: `Invalid parameter: ${message}` });
const notFound = { name: 'NotFoundException', message: 'PlatformApplication does not exist' };

test('an application keeps its attributes and never tells its credentials', async () => {
  const sns = await start();
  const arn = await sns.application('APNS');
  expect(arn).toBe(arnOf('APNS', 'sleepcare'));
  const topic = 'arn:aws:sns:eu-central-1:123456789012:push-events';
  await set(sns, arn, { EventDeliveryFailure: topic, SuccessFeedbackSampleRate: '50', PlatformCredential: 'new' });
  expect(await read(sns, arn)).toEqual({
    Enabled: 'true',
    EventDeliveryFailure: topic,
    SuccessFeedbackSampleRate: '50',
  });
  await set(sns, arn, { EventDeliveryFailure: '', Enabled: 'False' });
  expect(await read(sns, arn)).toEqual({ Enabled: 'false', SuccessFeedbackSampleRate: '50' });
  expect(await sns.application('APNS')).toBe(arn);
});

test('applications given at the start are there, by ARN or by name, and nobody else', async () => {
  const arn = 'arn:aws:sns:us-east-1:999999999999:app/APNS_SANDBOX/imported';
  const given = [
    { arn, platform: 'APNS_SANDBOX' },
    { name: 'android', platform: 'GCM' },
  ] as const;
  const sns = await start({ platformApplications: given });
  const { PlatformApplications } = await sns.client.send(new ListPlatformApplicationsCommand({}));
  expect(PlatformApplications).toEqual([
    { PlatformApplicationArn: arn, Attributes: { Enabled: 'true' } },
    { PlatformApplicationArn: arnOf('GCM', 'android'), Attributes: { Enabled: 'true' } },
  ]);
  expect(sns.platformApplications()).toEqual([
    { arn, name: 'imported', platform: 'APNS_SANDBOX' },
    { arn: arnOf('GCM', 'android'), name: 'android', platform: 'GCM' },
  ]);
  await expect(start({ platformApplications: [{ arn, platform: 'GCM' }] })).rejects.toThrow('is none of GCM');
});

test('a list of applications has pages', async () => {
  const platformApplications = Array.from({ length: 101 }, (_, n) => ({ name: `app-${n}`, platform: 'GCM' as const }));
  const sns = await start({ platformApplications });
  const first = await sns.client.send(new ListPlatformApplicationsCommand({}));
  const second = await sns.client.send(new ListPlatformApplicationsCommand({ NextToken: first.NextToken }));
  expect([first.PlatformApplications?.length, second.PlatformApplications?.length]).toEqual([100, 1]);
  expect(second.NextToken).toBeUndefined();
});

test('a deleted application takes its endpoints with it, and can be deleted again', async () => {
  const sns = await start();
  const endpoint = await sns.endpoint('GCM', 'token');
  const other = await sns.endpoint('APNS');
  const PlatformApplicationArn = arnOf('GCM', 'sleepcare');
  await sns.client.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn }));
  await sns.client.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn }));
  const list = new ListEndpointsByPlatformApplicationCommand({ PlatformApplicationArn });
  await expect(sns.client.send(list)).rejects.toMatchObject(notFound);
  await expect(sns.publish(endpoint)).rejects.toMatchObject({ name: 'InvalidParameterException' });
  await sns.publish(other);
});

const keys = { PlatformCredential: 'key', PlatformPrincipal: 'id' };
test.each([
  [{ Name: '' }, ' Reason: cannot be empty'],
  [{ Name: '@a' }, "@a Reason: must contain only characters 'a'-'z', 'A'-'Z', '0'-'9', '_', '-', and '.'"],
  [{ Name: 'a'.repeat(257) }, `${'a'.repeat(257)} Reason: must be at most 256 characters long`],
  [{ Platform: 'ADM' }, 'Platform Reason: ADM is not supported'],
  [
    { Attributes: { PlatformCredential: 'key' } },
    'Attributes Reason: PlatformCredential attribute provided without PlatformPrincipal',
  ],
  [
    { Attributes: { PlatformPrincipal: 'id' } },
    'Attributes Reason: PlatformPrincipal attribute provided without PlatformCredential',
  ],
  [{ Attributes: { Enabled: 'true' } }, 'Attributes Reason: PlatformCredential attribute is required'],
  [{ Attributes: { ...keys, Colour: 'red' } }, 'Attributes Reason: Invalid attribute name: Colour'],
  [
    { Attributes: { ...keys, EventEndpointCreated: 'topic' } },
    'Attributes Reason: EventEndpointCreated has invalid ARN format',
  ],
])('an application of %o is refused', async (given, sentence) => {
  const sns = await start();
  const command = new CreatePlatformApplicationCommand({ Name: 'a', Platform: 'APNS', Attributes: keys, ...given });
  await expect(sns.client.send(command)).rejects.toMatchObject(invalid(sentence));
  expect(sns.platformApplications()).toEqual([]);
});

test('an unknown application is not found, no attributes are a validation error, and no ARN is none', async () => {
  const sns = await start();
  await expect(read(sns, arnOf('GCM', 'none'))).rejects.toMatchObject(notFound);
  await expect(set(sns, arnOf('GCM', 'none'), { Enabled: 'true' })).rejects.toMatchObject(notFound);
  const missing =
    "1 validation error detected: Value null at 'attributes' failed to satisfy constraint: Member must not be null";
  await expect(set(sns, arnOf('GCM', 'none'), {})).rejects.toMatchObject({ name: 'ValidationError', message: missing });
  const sentence = 'PlatformApplicationArn Reason: An ARN must have at least 6 elements, not 1';
  await expect(read(sns, 'x')).rejects.toMatchObject(invalid(sentence));
});
