import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetEndpointAttributesCommand,
  GetPlatformApplicationAttributesCommand,
  SetPlatformApplicationAttributesCommand,
} from '@aws-sdk/client-sns';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestSns } from './client.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sns-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('applications and endpoints survive a restart; pushes do not', async () => {
  const platformApplications = [{ name: 'given', platform: 'GCM' }] as const;
  const before = await startTestSns({ dataDir, platformApplications });
  const arn = await before.endpoint('APNS', 'ab', 'user-1');
  await before.publish(arn);
  const [given] = before.platformApplications();
  const Attributes = { EventDeliveryFailure: 'arn:aws:sns:eu-central-1:123456789012:t' };
  const set = { PlatformApplicationArn: given?.arn, Attributes };
  await before.client.send(new SetPlatformApplicationAttributesCommand(set));
  await before.close();

  const after = await startTestSns({ dataDir, platformApplications });
  const endpoint = await after.client.send(new GetEndpointAttributesCommand({ EndpointArn: arn }));
  expect(endpoint.Attributes).toEqual({ Enabled: 'true', Token: 'ab', CustomUserData: 'user-1' });
  const read = { PlatformApplicationArn: given?.arn };
  const application = await after.client.send(new GetPlatformApplicationAttributesCommand(read));
  expect(application.Attributes).toEqual({ Enabled: 'true', ...Attributes });
  expect(after.pushes()).toEqual([]);
  expect(await after.endpoint('APNS', 'ab', 'user-1')).toBe(arn);
  await after.close();
});

test('what was answered is on disk, only for its owner, and without credentials', async () => {
  const sns = await startTestSns({ dataDir });
  const arns = await Promise.all(Array.from({ length: 50 }, (_, n) => sns.endpoint('GCM', `token-${n}`)));
  const file = join(dataDir, 'sns', 'endpoints.json');
  const text = await readFile(file, 'utf8');
  expect(
    JSON.parse(text)
      .endpoints.map(({ arn }: { arn: string }) => arn)
      .sort(),
  ).toEqual(arns.sort());
  expect(text).not.toContain('PlatformCredential');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(dataDir, 'sns'))).toEqual(['endpoints.json']);
  await sns.close();
});

test('a disabled endpoint stays disabled', async () => {
  const before = await startTestSns({ dataDir });
  const arn = await before.endpoint('GCM', 'fail-gone-1');
  await before.publish(arn);
  await before.close();
  const after = await startTestSns({ dataDir });
  await expect(after.publish(arn)).rejects.toMatchObject({ name: 'EndpointDisabledException' });
  await after.close();
});

test('a file that cannot be read stops the start, instead of beginning anew', async () => {
  const before = await startTestSns({ dataDir });
  await before.endpoint('GCM', 't');
  await before.close();
  await writeFile(join(dataDir, 'sns', 'endpoints.json'), '{');
  await expect(startTestSns({ dataDir })).rejects.toThrow(SyntaxError);
});
