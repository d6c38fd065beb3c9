import { table } from '../../lib/contract/tables.ts';

/**
 * Which push went to which device, so that none is sent twice; `delivery` is `<userId>#<event>#<deviceId>`. And the number
 * that a device is to show, under `<userId>#badge#<deviceId>`.
 */
export const PushDeliveries = table('PushDeliveries', { partitionKey: 'delivery', expires: true });
