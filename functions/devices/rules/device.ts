import { createHash } from 'node:crypto';
import type { PlatformApplications, PushPlatform } from '../../../lib/contract/push-platforms.ts';

/** The rules of a device: a phone on which a user gets pushes. */

export type Device = {
  userId: string;
  /** The app's own id of this installation. */
  deviceId: string;
  platform: 'ios' | 'android';
  environment: 'production' | 'sandbox';
  appVersion: string;
  locale: string;
  /** SNS's, which has the token; null where no platform application is connected. No answer contains it. */
  endpointArn: string | null;
  /** SHA-256 of platform and token: only SNS keeps the token itself. */
  tokenHash: string;
  /**
   * `disabled`: the push service refused the token, and nothing is sent until the app registers again. `unconnected`:
   * there was no platform application when the app last registered.
   */
  status: 'active' | 'disabled' | 'unconnected';
  registeredAt: string;
  renewedAt: string;
  /** Another one with each registration. What is decided on a row is written only while it has the same. */
  revision: string;
};

/** What the app says of itself. */
export type Registration = {
  platform: Device['platform'];
  token: string;
  environment: Device['environment'];
  appVersion: string;
  locale: string;
};

export type Owner = { userId: string; deviceId: string };

/** `revision` is the device's at the time it got the token. If it gives the token up and gets it again, the revision is another one. */
export type TokenOwner = Owner & { readonly tokenKey: string; readonly revision: string };

/** What can be sent to. */
export type Reachable<D> = D & { status: 'active'; endpointArn: string };

export function isReachable<D extends Pick<Device, 'status' | 'endpointArn'>>(device: D): device is Reachable<D> {
  return device.status === 'active' && device.endpointArn !== null;
}

/** The platform application that serves a device. */
function pushPlatformOf({ platform, environment }: Pick<Device, 'platform' | 'environment'>): PushPlatform {
  return platform === 'android' ? 'android' : `ios/${environment}`;
}

/** Undefined where none is connected. */
export function applicationOf(
  device: Pick<Device, 'platform' | 'environment'>,
  applications: PlatformApplications,
): string | undefined {
  return applications[pushPlatformOf(device)];
}

/** An endpoint cannot move to another platform application. */
export function isEndpointOf(endpointArn: string, applicationArn: string): boolean {
  return endpointArn.startsWith(`${applicationArn.replace(':app/', ':endpoint/')}/`);
}

export function hashOfToken({ platform, token }: Pick<Registration, 'platform' | 'token'>): string {
  return createHash('sha256').update(`${platform}#${token}`).digest('hex');
}

/** What of a token its user is shown: enough to tell two of them apart. */
export function shownHash(tokenHash: string): string {
  return tokenHash.slice(0, 12);
}

/** Under which keys it stands whose a token and an endpoint are. */
export function tokenKeysOf({ tokenHash, endpointArn }: Pick<Device, 'tokenHash' | 'endpointArn'>): string[] {
  return [`token#${tokenHash}`, ...(endpointArn === null ? [] : [endpointKey(endpointArn)])];
}

export function endpointKey(endpointArn: string): string {
  return `endpoint#${endpointArn}`;
}

export function isSameDevice(one: Owner, other: Owner): boolean {
  return one.userId === other.userId && one.deviceId === other.deviceId;
}

/** @param before the device's row until now; null for the first registration */
export function registered(
  before: Device | null,
  { platform, environment, appVersion, locale, token }: Registration,
  at: Owner & { endpointArn: string | null; now: Date; revision: string },
): Device {
  const time = at.now.toISOString();
  return {
    userId: at.userId,
    deviceId: at.deviceId,
    platform,
    environment,
    appVersion,
    locale,
    endpointArn: at.endpointArn,
    tokenHash: hashOfToken({ platform, token }),
    status: at.endpointArn === null ? 'unconnected' : 'active',
    registeredAt: before?.registeredAt ?? time,
    renewedAt: time,
    revision: at.revision,
  };
}

/** Whether a row says already what a registration would make of it, as that of a doubled request does. */
export function says(row: Device, wanted: Device): boolean {
  const said = ({ registeredAt: _a, renewedAt: _n, revision: _v, ...rest }: Device) => Object.entries(rest).sort();
  return JSON.stringify(said(row)) === JSON.stringify(said(wanted));
}

/** The endpoint that a registration takes over, if any: the token's, from any owner. */
export function knownEndpoint(
  tokenHash: string,
  applicationArn: string,
  { own, others }: { own: Device | null; others: readonly Device[] },
): string | null {
  const ofToken = [...(own ? [own] : []), ...others].filter((device) => device.tokenHash === tokenHash);
  const candidates = ofToken.map(({ endpointArn }) => endpointArn);
  return candidates.find((arn) => arn !== null && isEndpointOf(arn, applicationArn)) ?? null;
}

/**
 * The key of the row that says when the user's last new device was registered. A new device is written on the condition that this row
 * is unchanged. So if several devices register at once, each registration has seen all others.
 */
export function newestKey(userId: string): string {
  return `newest#${userId}`;
}

/** A person has a few phones, and what is sent to one user is sent to each of them. */
export const mostDevices = 20;

/**
 * The user's devices that a further one replaces: those longest unused, so that no more than the limit are left with it. At
 * most the limit at a time, as a transaction has an end.
 *
 * @param devices of the user, without those that go in any case
 */
export function displacedBy(self: Owner, devices: readonly Device[]): Device[] {
  const others = devices
    .filter((device) => !isSameDevice(device, self))
    .toSorted((one, other) => (one.renewedAt < other.renewedAt ? -1 : 1));
  return others.slice(0, Math.min(Math.max(others.length - (mostDevices - 1), 0), mostDevices));
}
