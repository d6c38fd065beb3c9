import { setTimeout as sleep } from 'node:timers/promises';
import { GetEndpointAttributesCommand, type SNSClient } from '@aws-sdk/client-sns';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { endpointKey, type Owner } from '../devices/device.ts';
import type { EndpointEvent } from './endpoint-event.ts';
import { markUnreachable, readTarget } from './target-store.ts';

export type Noting = {
  readonly client: DynamoDBDocumentClient;
  readonly sns: SNSClient;
  readonly tables: { readonly DeviceTokens: string; readonly Devices: string };
};

/** How long SNS may take to disable an endpoint after it has told of the failure. What takes longer the next push finds. */
const waitsMs = [300, 1500];

/**
 * Marks the device whose endpoint SNS has disabled or deleted. Its row is read before SNS is asked, and written only if it
 * has the same revision then: a registration in between has enabled the endpoint, and stands. The same event again finds
 * nothing to do.
 *
 * @returns what became of it, for the log
 */
export async function noteEvent({ endpointArn, means }: EndpointEvent, noting: Noting): Promise<string> {
  if (means === 'none') return 'nothing';
  const { client, tables, sns } = noting;
  const owner = await readOwner(client, tables.DeviceTokens, endpointArn);
  const device = owner && (await readTarget(client, tables.Devices, owner));
  if (device?.endpointArn !== endpointArn) return 'nothing';
  for (const waitMs of means === 'await' ? [...waitsMs, 0] : [0]) {
    if (!(await isEnabled(sns, endpointArn))) {
      await markUnreachable(client, tables.Devices, device);
      return 'disabled';
    }
    await sleep(waitMs);
  }
  return 'enabled';
}

async function readOwner(client: DynamoDBDocumentClient, table: string, endpointArn: string): Promise<Owner | null> {
  const Key = { tokenKey: endpointKey(endpointArn) };
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (Item as Owner | undefined) ?? null;
}

/** SNS's sentences name endpoints, and a log gets an error's name. */
class SnsRefusal extends Error {
  override readonly name: string;

  constructor(name: string) {
    super();
    this.name = `Sns${name}`;
  }
}

async function isEnabled(client: SNSClient, EndpointArn: string): Promise<boolean> {
  try {
    const { Attributes } = await client.send(new GetEndpointAttributesCommand({ EndpointArn }));
    return Attributes?.Enabled?.toLowerCase() === 'true';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'NotFoundException') return false;
    throw new SnsRefusal(error.name);
  }
}
