import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { Device, TokenOwner } from './rules/device.ts';

/** The phones that a user gets pushes on. */
export const Devices = table<Device>()('Devices', { partitionKey: 'userId', sortKey: 'deviceId' });
export type Devices<A extends Action> = Handle<typeof Devices, A>;

/**
 * Whose device has a push token (`token#<SHA-256>`) and an endpoint of SNS's (`endpoint#<ARN>`): each has one. And which device is a
 * user's newest (`newest#<userId>`).
 */
export const DeviceTokens = table<TokenOwner>()('DeviceTokens', { partitionKey: 'tokenKey' });
export type DeviceTokens<A extends Action> = Handle<typeof DeviceTokens, A>;
