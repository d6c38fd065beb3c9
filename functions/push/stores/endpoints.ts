import { GetEndpointAttributesCommand, type SNSClient } from '@aws-sdk/client-sns';
import { isNaming } from '../../../lib/contract/revision.ts';
import { get } from '../../../lib/runtime/rows.ts';
import { endpointKey, type Owner } from '../../devices/rules.ts';
import type { DeviceTokens } from '../../devices/tables.ts';

/** Endpoints of SNS: whose one is, by table `DeviceTokens`, and whether anything is sent there. */

/** Null where nobody has the endpoint any more, also by a row that no honest function writes. */
export async function readOwner(table: DeviceTokens<'get'>, endpointArn: string): Promise<Owner | null> {
  const row = await get(table, { tokenKey: endpointKey(endpointArn) });
  return row && isNaming(row.userId) && isNaming(row.deviceId) ? row : null;
}

/** SNS's sentences name endpoints, and a log gets an error's name. */
class SnsRefusal extends Error {
  override readonly name: string;

  constructor(name: string) {
    super();
    this.name = `Sns${name}`;
  }
}

/** False also where it is gone. */
export async function isEnabled(client: SNSClient, EndpointArn: string): Promise<boolean> {
  try {
    const { Attributes } = await client.send(new GetEndpointAttributesCommand({ EndpointArn }));
    return Attributes?.Enabled?.toLowerCase() === 'true';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'NotFoundException') return false;
    throw new SnsRefusal(error.name);
  }
}
