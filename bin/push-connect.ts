import { readFile } from 'node:fs/promises';
import {
  CreatePlatformApplicationCommand,
  SetPlatformApplicationAttributesCommand,
  type SNSClient,
} from '@aws-sdk/client-sns';
import { endpointEventsTo, platformApplicationPath } from '../lib/contract/platform-applications.ts';
import type { PushPlatform } from '../lib/contract/push-platforms.ts';
import type { Environment } from '../lib/contract/register.ts';
import { sns } from '../lib/runtime/sns.ts';
import { stateOutput } from './stack-outputs.ts';

const platforms = {
  ios: 'ios/production',
  'ios-sandbox': 'ios/sandbox',
  android: 'android',
} as const satisfies Readonly<Record<string, PushPlatform>>;

type Options = Apple & {
  readonly stage: Environment;
  readonly platform: keyof typeof platforms;
  readonly key: string;
  readonly topic?: string;
};

export async function run({ stage, platform: named, key, topic, ...apple }: Options): Promise<void> {
  try {
    const platform = platforms[named];
    const text = await readFile(key, 'utf8');
    const credentials = platform === 'android' ? ofGoogle(text) : ofApple(text, apple);
    const topicArn = topic ?? (await stateOutput(stage, 'PushEventsTopicArn'));
    if (!/^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/.test(topicArn))
      throw new Error(`${topicArn} is not the ARN of a topic`);
    console.log(await connect(sns(), platformApplicationPath(platform, stage), topicArn, credentials));
  } catch (error) {
    throw new Error(saying(error));
  }
}

type Attributes = Record<string, string>;

/**
 * First tries to change the application, and creates it if it does not exist. SNS does not document that creating an existing
 * application changes it.
 *
 * @param topicArn a topic in the account and region of the application
 */
async function connect(
  client: SNSClient,
  path: string,
  topicArn: string,
  credentials: Attributes,
): Promise<string | undefined> {
  const Attributes = { ...credentials, ...endpointEventsTo(topicArn) };
  const PlatformApplicationArn = `${topicArn.slice(0, topicArn.lastIndexOf(':'))}:app/${path}`;
  // SNS disables an application whose key Apple or Google refuses.
  const enabled = { ...Attributes, Enabled: 'true' };
  try {
    await client.send(new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn, Attributes: enabled }));
    return PlatformApplicationArn;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotFoundException') throw error;
  }
  const [Platform, Name] = path.split('/');
  const created = await client.send(new CreatePlatformApplicationCommand({ Name, Platform, Attributes }));
  return created.PlatformApplicationArn;
}

type Apple = { readonly keyId?: string; readonly teamId?: string; readonly bundleId?: string };

/** https://docs.aws.amazon.com/sns/latest/dg/sns-apple-authentication-methods.html */
function ofApple(text: string, { keyId, teamId, bundleId }: Apple) {
  if (!keyId || !teamId || !bundleId) throw new Error('iOS needs --key-id, --team-id and --bundle-id');
  if (!/^-----BEGIN PRIVATE KEY-----\s[\s\S]+-----END PRIVATE KEY-----\s*$/.test(text)) {
    throw new Error('--key must name a .p8 file of Apple: this file has no private key');
  }
  return {
    PlatformCredential: text.trim(),
    PlatformPrincipal: keyId,
    ApplePlatformTeamID: teamId,
    ApplePlatformBundleID: bundleId,
  };
}

/** https://docs.aws.amazon.com/sns/latest/dg/sns-fcm-authentication-methods.html */
function ofGoogle(text: string) {
  const problem = new Error('--key must name the JSON file of a service account');
  let account: unknown;
  try {
    account = JSON.parse(text);
  } catch {
    // The parser's message would quote the file.
    throw problem;
  }
  const { type, private_key: secret, project_id: project } = (account ?? {}) as Record<string, unknown>;
  if (type !== 'service_account' || typeof secret !== 'string' || typeof project !== 'string') throw problem;
  return { PlatformCredential: text.trim() };
}

/** SNS may quote the refused value, which is a key. So only the error's name is printed. */
function saying(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('$fault' in error)) return error.message;
  const hasSecret = /PRIVATE KEY|PlatformCredential|private_key/.test(error.message);
  return hasSecret ? `${error.name}: SNS does not accept the key` : `${error.name}: ${error.message.split('\n')[0]}`;
}
