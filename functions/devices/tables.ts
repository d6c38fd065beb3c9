import { table } from '../../lib/contract/tables.ts';

/** The phones that a user gets pushes on. */
export const Devices = table('Devices', { partitionKey: 'userId', sortKey: 'deviceId' });

/** Whose device has a push token (`token#<SHA-256>`) and an endpoint of SNS's (`endpoint#<ARN>`): each has one. */
export const DeviceTokens = table('DeviceTokens', { partitionKey: 'tokenKey' });
