import * as z from 'zod/mini';
import { ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, Locale, RecordedVersion, Timestamp, WantedLocale } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { pushPlatforms, read, replace } from '../../lib/contract/uses.ts';
import { readOwnDevices, writeOwnDevices } from './permissions.ts';
import { Devices, DeviceTokens } from './tables.ts';

export const Device = z.object({
  deviceId: Id,
  platform: z.enum(['ios', 'android']),
  environment: z.enum(['production', 'sandbox']),
  appVersion: z.string(),
  locale: Locale,
  status: z.enum(['active', 'disabled', 'unconnected']),
  /** The first digits of a SHA-256: tells whether two registrations are of one token, and nothing of the token. */
  tokenHash: z.string().check(z.regex(/^[0-9a-f]{12}$/)),
  registeredAt: Timestamp,
  renewedAt: Timestamp,
});

/** `replacedDeviceIds`: the caller's devices that it replaced, which get no more pushes; mostly none. */
export const RegisteredDevice = z.extend(Device, { replacedDeviceIds: z.array(Id) });

export const registerDevice = route({
  method: 'PUT',
  path: '/users/me/devices/{deviceId}',
  summary: "Registers or renews a phone's push token",
  description:
    'Call it at each start of the app and whenever its token changes. Idempotent. The app makes `deviceId`, one ' +
    'for each installation. If the same token is registered under another user or another `deviceId`, it moves to ' +
    'this one. `status` is `active`, or `unconnected` if the environment has no connection to the push service. ' +
    '`disabled` in the list means that the push service refused the token; this ends when the app registers ' +
    'again. No answer contains the token itself. A user has at most 20 devices. One more replaces the device ' +
    'whose registration is oldest, and `replacedDeviceIds` names it.',
  applications: ['sleepcare'],
  auth: writeOwnDevices,
  uses: [read(Devices), replace(Devices), read(DeviceTokens), replace(DeviceTokens), pushPlatforms('register')],
  // The app makes the id: another form is its mistake, not something that is not there.
  params: z.object({ deviceId: Id }),
  body: z.object({
    platform: z.enum(['ios', 'android']),
    token: z.string().check(z.maxLength(4096), z.regex(/^[\x21-\x7e]+$/, 'must be the token as the system gave it')),
    environment: z.enum(['production', 'sandbox']),
    appVersion: RecordedVersion,
    locale: WantedLocale,
  }),
  response: RegisteredDevice,
  counts: {
    platformApplicationMissing: {
      alarmAbove: 0.01,
      impact: 'Phones register and get no push: SNS lacks a platform application that the settings name',
    },
    endpointLeftBehind: {
      alarmAbove: 0.05,
      impact: 'Users notice nothing; SNS keeps endpoints of tokens that no device uses any more',
    },
  },
  errors: [ValidationFailed],
});

export const listDevices = route({
  method: 'GET',
  path: '/users/me/devices',
  summary: "The caller's devices",
  applications: ['sleepcare'],
  auth: readOwnDevices,
  uses: [read(Devices)],
  cursor: 'deviceId',
  items: Device,
  errors: [],
});

export const unregisterDevice = route({
  method: 'DELETE',
  path: '/users/me/devices/{deviceId}',
  summary: 'Ends the pushes to a device',
  description: 'Call it at the sign-out. Idempotent: for a device that is not registered the call succeeds as well.',
  applications: ['sleepcare'],
  auth: writeOwnDevices,
  uses: [read(Devices), replace(Devices), read(DeviceTokens), replace(DeviceTokens), pushPlatforms('register')],
  params: z.object({ deviceId: Id }),
  response: z.object({ success: z.boolean(), deviceId: Id, registered: z.literal(false) }),
  errors: [],
});
