import { randomBytes } from 'node:crypto';
import {
  CreatePlatformApplicationCommand,
  CreatePlatformEndpointCommand,
  type MessageAttributeValue,
  PublishCommand,
  type PublishCommandInput,
  SNSClient,
} from '@aws-sdk/client-sns';
import type { Platform } from '../../../lib/local/sns/arns.ts';
import { type SnsOptions, startSns } from '../../../lib/local/sns/sns.ts';

export const place = { region: 'eu-central-1', accountId: '123456789012' };

/** A server, a client that does not retry, and one platform application of each kind. */
export async function startTestSns(options: Partial<SnsOptions> = {}) {
  const sns = await startSns({ ...place, ...options });
  const client = clientOf(sns.url);
  const application = async (platform: Platform, name = 'sleepcare') => {
    const Attributes = { PlatformCredential: 'key', ...(platform !== 'GCM' && { PlatformPrincipal: 'certificate' }) };
    const command = new CreatePlatformApplicationCommand({ Name: name, Platform: platform, Attributes });
    return (await client.send(command)).PlatformApplicationArn ?? '';
  };
  const endpoint = async (platform: Platform, token = tokenOf(platform), CustomUserData?: string) => {
    const PlatformApplicationArn = await application(platform);
    const command = new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token: token, CustomUserData });
    return (await client.send(command)).EndpointArn ?? '';
  };
  const publish = (TargetArn: string, input: Partial<PublishCommandInput> = {}) =>
    client.send(new PublishCommand({ TargetArn, Message: silent, MessageStructure: 'json', ...input }));
  return {
    ...sns,
    client,
    application,
    endpoint,
    publish,
    async close() {
      client.destroy();
      await sns.close();
    },
  };
}

export function clientOf(url: string, options: { accessKeyId?: string; maxAttempts?: number } = {}): SNSClient {
  const { accessKeyId = 'tester', maxAttempts = 1 } = options;
  const credentials = { accessKeyId, secretAccessKey: 'secret' };
  return new SNSClient({ endpoint: url, region: place.region, maxAttempts, credentials });
}

export function tokenOf(platform: Platform): string {
  return platform === 'GCM' ? `fcm:${randomBytes(16).toString('base64url')}` : randomBytes(32).toString('hex');
}

/** `attributes({ 'APNS.TTL': '60' })`: of the type String, with the reserved prefix. */
export function attributes(texts: Record<string, string>): Record<string, MessageAttributeValue> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, StringValue]) => [`AWS.SNS.MOBILE.${name}`, { DataType: 'String', StringValue }]),
  );
}

/** The badge_sync push of decision 16. */
const data = { type: 'badge_sync', badge: '3' };
const apns = JSON.stringify({ aps: { 'content-available': 1 }, data });
const android = { priority: 'normal', collapse_key: 'badge_sync', ttl: '3600s' };
export const silent = JSON.stringify({
  APNS: apns,
  APNS_SANDBOX: apns,
  GCM: JSON.stringify({ fcmV1Message: { message: { data, android } } }),
});
export const silentAttributes = attributes({
  'APNS.PUSH_TYPE': 'background',
  'APNS.PRIORITY': '5',
  'APNS.TOPIC': 'com.example.sleepcare',
  'APNS.COLLAPSE_ID': 'badge_sync',
  'APNS.TTL': '3600',
  'APNS_SANDBOX.TTL': '3600',
});
