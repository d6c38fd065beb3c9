import { CreatePlatformEndpointCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { synthesize } from '../../../bin/stage.ts';
import { startBackend } from '../../../lib/local/backend.ts';
import { credentialsOf } from '../../../lib/local/credentials.ts';
import { platformApplicationsIn } from '../../../lib/local/platform-applications.ts';
import { startSns } from '../../../lib/local/sns/sns.ts';

/** With the SNS of its own process. */
const own = await startBackend(await synthesize('dev'));
afterAll(() => own.close());

async function backend(snsEndpoint: string) {
  const started = await startBackend(await synthesize('dev'), { snsEndpoint });
  onTestFinished(started.close);
  return started;
}

function platformArns(region: string, accountId: string) {
  const here = `arn:aws:sns:${region}:${accountId}:app`;
  return [
    `${here}/APNS/mobile-health-dev-ios`,
    `${here}/APNS_SANDBOX/mobile-health-dev-ios`,
    `${here}/GCM/mobile-health-dev-android`,
  ];
}

test('the platform applications that the template names are there', async () => {
  const { sns, model } = own;
  const arns = sns?.platformApplications().map(({ arn }) => arn);
  expect(arns).toEqual(platformArns(model().region, model().accountId));
});

test('a function may do what its role says: register, and not publish', async () => {
  const { sns, model } = own;
  const fn = model().functions.find(({ operation }) => operation === 'register-device');
  if (!fn || !sns) throw new Error('no function registers devices');
  const client = new SNSClient({ endpoint: sns.url, region: model().region, credentials: credentialsOf(fn) });
  onTestFinished(() => client.destroy());
  const [PlatformApplicationArn] = platformArns(model().region, model().accountId);
  const { EndpointArn } = await client.send(
    new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token: 'abc' }),
  );
  await expect(client.send(new PublishCommand({ TargetArn: EndpointArn, Message: 'x' }))).rejects.toMatchObject({
    name: 'AuthorizationErrorException',
    message: expect.stringContaining('not authorized to perform: SNS:Publish'),
  });
});

test('another emulator gets the platform applications, and the functions its address', async () => {
  const { model } = own;
  const { region, accountId } = model();
  const other = await startSns({ region, accountId });
  onTestFinished(other.close);
  expect((await backend(other.url)).sns).toBeNull();
  expect(other.platformApplications().map(({ arn }) => arn)).toEqual(
    platformApplicationsIn(model()).map(({ arn }) => arn),
  );
});

test('an emulator of another account, or none at all, is an error that says so', async () => {
  const { model } = own;
  const other = await startSns({ region: model().region, accountId: '999999999999' });
  await expect(backend(other.url)).rejects.toThrow('999999999999');
  await other.close();
  await expect(backend(other.url)).rejects.toThrow(`no SNS answers at ${other.url}`);
});
