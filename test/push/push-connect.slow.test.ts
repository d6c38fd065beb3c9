import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetPlatformApplicationAttributesCommand } from '@aws-sdk/client-sns';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { SnsCall } from '../../lib/local/sns/sns.ts';
import { place, startTestSns } from '../local/sns/client.ts';
import { typed } from '../typed.ts';

/** `npm run cli -- push-connect`, against the emulation of SNS. */

const topic = `arn:aws:sns:${place.region}:${place.accountId}:events`;
const folder = mkdtempSync(join(tmpdir(), 'push-connect-'));
const dataDir = join(folder, 'data');
const secret = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const pem = secret.export({ type: 'pkcs8', format: 'pem' }).toString();
const account = JSON.stringify({ type: 'service_account', project_id: 'p', private_key: pem });
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const p8 = file('AuthKey.p8', pem);
const json = file('account.json', account);
const words = file('words', `${pem.slice(60, 100)} and words`);

const calls: SnsCall[] = [];
const sns = await startTestSns({ dataDir, intercept: (call) => void calls.push(call) });
beforeEach(() => void calls.splice(0));
afterAll(() => sns.close());

const run = (...given: string[]) =>
  typed(['push-connect', '--stage', 'dev', '--topic', topic, ...given], {
    PATH: process.env.PATH,
    AWS_ENDPOINT_URL_SNS: sns.url,
    AWS_ACCESS_KEY_ID: 'tester',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: place.region,
  });
const apple = (keyId = 'KEY1234567') => ['--key', p8, '--key-id', keyId, '--team-id', 'TEAM', '--bundle-id', 'com.x'];
const attributesOf = async (PlatformApplicationArn: string) =>
  (await sns.client.send(new GetPlatformApplicationAttributesCommand({ PlatformApplicationArn }))).Attributes;
const sent = (name: string) =>
  calls.map(({ parameters }) => {
    const found = Object.entries(parameters).find(([key, value]) => key.endsWith('.key') && value === name);
    return found && parameters[found[0].replace(/key$/, 'value')];
  });

const events = { EventEndpointUpdated: topic, EventEndpointDeleted: topic, EventDeliveryFailure: topic };

test.each([
  ['ios', 'APNS'],
  ['ios-sandbox', 'APNS_SANDBOX'],
])('%s: an Apple key, under the name that the stack knows, with the topic of its events', async (platform, service) => {
  const arn = `arn:aws:sns:${place.region}:${place.accountId}:app/${service}/mobile-health-dev-ios`;
  expect(await run('--platform', platform, ...apple())).toEqual({ code: 0, out: `${arn}\n`, err: '' });
  expect(sent('PlatformCredential')).toEqual([pem.trim(), pem.trim()]);
  expect(sent('PlatformPrincipal')[0]).toBe('KEY1234567');
  const own = { ApplePlatformTeamID: 'TEAM', ApplePlatformBundleID: 'com.x' };
  expect(await attributesOf(arn)).toEqual({ Enabled: 'true', ...own, ...events });
});

test('android: the service account; another run gives the same application another key', async () => {
  const arn = `arn:aws:sns:${place.region}:${place.accountId}:app/GCM/mobile-health-dev-android`;
  for (const _ of [1, 2]) {
    expect((await run('--platform', 'android', '--key', json)).out).toBe(`${arn}\n`);
  }
  expect(sent('PlatformCredential')).toEqual([account, account, account]);
  expect(await attributesOf(arn)).toEqual({ Enabled: 'true', ...events });
});

test.each([
  ['no platform', ['--platform', 'windows', '--key', p8], 'Allowed choices are ios'],
  ['no key', ['--platform', 'android'], "required option '--key <file>'"],
  ['Apple’s key without its id', ['--platform', 'ios', '--key', p8], '--key-id'],
  ['Google’s file for Apple', ['--platform', 'ios', ...apple().with(1, json)], 'must name a .p8'],
  ['Apple’s file for Google', ['--platform', 'android', '--key', p8], 'must name the JSON'],
  ['a topic that is none', ['--platform', 'android', '--key', json, '--topic', 'events'], 'not the ARN of a topic'],
  ['words for Google', ['--platform', 'android', '--key', words], 'must name the JSON'],
])('%s is refused before SNS is called', async (_, given, said) => {
  const failed = await run(...given);
  expect(failed).toMatchObject({ code: 1, out: '', err: expect.stringContaining(said) });
  expect(failed.err).not.toContain(pem.slice(60, 80));
  expect(calls).toEqual([]);
});

test('no key is on disk beside its file', async () => {
  await run('--platform', 'ios', ...apple());
  for (const name of await readdir(dataDir, { recursive: true })) {
    const kept = await readFile(join(dataDir, name), 'utf8').catch(() => '');
    expect(kept).not.toContain(pem.slice(60, 80));
  }
});
