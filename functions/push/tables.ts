import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { BadgeRow, ClaimRow } from './rules/delivery.ts';

/**
 * Which push went to which device, so that none is sent twice; `delivery` is `<userId>#<event>#<deviceId>`. And the number
 * that a device is to show, under `<userId>#badge#<deviceId>`.
 */
export const PushDeliveries = table<ClaimRow | BadgeRow>()('PushDeliveries', {
  partitionKey: 'delivery',
  expires: true,
});
export type PushDeliveries<A extends Action> = Handle<typeof PushDeliveries, A>;
