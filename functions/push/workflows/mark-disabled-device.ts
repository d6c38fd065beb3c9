import { setTimeout as sleep } from 'node:timers/promises';
import type { SNSClient } from '@aws-sdk/client-sns';
import { markUnreachable } from '../../devices/exports.ts';
import type { Devices, DeviceTokens } from '../../devices/tables.ts';
import type { EndpointEvent } from '../rules/endpoint-event.ts';
import { isEnabled, readOwner } from '../stores/endpoints.ts';
import { readTarget } from '../stores/targets.ts';

export type Noting = {
  readonly sns: SNSClient;
  readonly tables: {
    readonly DeviceTokens: DeviceTokens<'get'>;
    readonly Devices: Devices<'get' | 'updateRow'>;
  };
};

/** How long SNS may take to disable an endpoint after it has reported the failure. If it takes longer, the next push detects it. */
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
  const { tables, sns } = noting;
  const owner = await readOwner(tables.DeviceTokens, endpointArn);
  const device = owner && (await readTarget(tables.Devices, owner));
  if (device?.endpointArn !== endpointArn) return 'nothing';
  for (const waitMs of means === 'await' ? [...waitsMs, 0] : [0]) {
    if (!(await isEnabled(sns, endpointArn))) {
      await markUnreachable(tables.Devices, device);
      return 'disabled';
    }
    await sleep(waitMs);
  }
  return 'enabled';
}
