import { randomUUID } from 'node:crypto';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { PlatformApplications } from '../../../lib/contract/push-platforms.ts';
import { contended, jitter, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import {
  applicationOf,
  type Device,
  displacedBy,
  endpointKey,
  hashOfToken,
  isSameDevice,
  knownEndpoint,
  type Owner,
  type Registration,
  registered,
  says,
  tokenKeysOf,
} from '../rules/device.ts';
import {
  type DeviceTable,
  type Owners,
  type OwnersTable,
  type RemovingTables,
  readAllDevices,
  readDevice,
  readNewest,
  readOthers,
  readOwners,
  removeDevice,
  type WritingTables,
  writeDevice,
} from '../stores/device-rows.ts';
import { deleteEndpoint, enabledEndpoint, NoApplication } from '../stores/endpoints.ts';
import type { Devices } from '../tables.ts';

/**
 * SNS first, then the tables, in one transaction. What is in the tables is thus always known to SNS; what ended between the
 * two is an endpoint that no row names, to which nothing is sent, and which the next attempt finds by its token. The
 * other order would have to take a row back when SNS fails, which can fail, too.
 */

export type Clients = { sns: SNSClient };

/** What varies in a test: ids and the wait between two tries. */
export type ChangeOptions = RetryOptions & { id: () => string };

const defaults: ChangeOptions = { id: randomUUID, pause: jitter };

export type Outcome = {
  device: Device;
  /** The settings name a platform application that is not there. */
  isApplicationMissing: boolean;
  /** Endpoints that no device has any more. */
  left: string[];
  /** The user's devices that it replaced, since there are no more of them than the limit. */
  displaced: string[];
};

type DeviceRegistration = Owner & {
  registration: Registration;
  applications: PlatformApplications;
  now: Date;
  /** What was read already; read here unless given. */
  known?: StoredRegistration;
};

/** The device, and whose its token is. */
export type StoredRegistration = readonly [before: Device | null, ofToken: Owners];

export async function readKnown(
  tables: DeviceTable & OwnersTable,
  wanted: Owner & { registration: Registration },
): Promise<StoredRegistration> {
  const keys = tokenKeysOf({ tokenHash: hashOfToken(wanted.registration), endpointArn: null });
  return Promise.all([readDevice(tables, wanted), readOwners(tables, keys)]);
}

export type RegisteringTables = DeviceTable & OwnersTable & WritingTables & { Devices: Devices<'query'> };

/** @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; NoToken */
export async function register(
  { sns }: Clients,
  tables: RegisteringTables,
  wanted: DeviceRegistration,
  { id, ...options }: ChangeOptions = defaults,
): Promise<Outcome> {
  const { registration, known } = wanted;
  return retryOnContention(async (attempt) => {
    const [before, ofToken] = attempt === 0 && known ? known : await readKnown(tables, wanted);
    const holders = await readOthers(tables, ofToken, wanted);
    const { endpointArn, isApplicationMissing } = await connect(sns, wanted, { own: before, others: holders });
    const device = registered(before, registration, { ...wanted, endpointArn, revision: id() });
    // A doubled request has written it while this one was under way.
    if (attempt > 0 && before && says(before, device))
      return { device: before, isApplicationMissing, left: [], displaced: [] };

    // The endpoint may be another device's than the token: where SNS gave it another token.
    // Before the devices: who registers another one in between is met by it.
    const newest = before ? null : await readNewest(tables, wanted.userId);
    const keys = tokenKeysOf(device).filter((key) => !ofToken.has(key));
    const owners: Owners = new Map([...ofToken, ...(await readOwners(tables, keys))]);
    const [moved, all] = await Promise.all([
      readOthers(tables, owners, wanted),
      before ? [] : readAllDevices(tables.Devices, wanted.userId),
    ]);
    // Besides those that go with their tokens.
    const rest = all.filter((device) => !moved.some((one) => isSameDevice(one, device)));
    const displaced = displacedBy(wanted, rest);
    const others = [...moved, ...displaced];
    if (!(await writeDevice(tables, device, { before, others, owners, newest }))) return contended;
    const had = [...(before ? [before] : []), ...others].map((one) => one.endpointArn);
    const left = new Set(had.filter((arn) => arn !== null && arn !== endpointArn));
    const names = displaced.map(({ deviceId }) => deviceId);
    return { device, isApplicationMissing, left: [...left] as string[], displaced: names };
  }, options);
}

type Rows = { own: Device | null; others: readonly Device[] };

async function connect(sns: SNSClient, { registration, applications }: DeviceRegistration, rows: Rows) {
  const application = applicationOf(registration, applications);
  if (application === undefined) return { endpointArn: null, isApplicationMissing: false };
  const known = knownEndpoint(hashOfToken(registration), application, rows);
  try {
    const endpointArn = await enabledEndpoint(sns, application, registration.token, known);
    return { endpointArn, isApplicationMissing: false };
  } catch (error) {
    // The app can do nothing about it: it is registered as if push were not connected, and an alarm informs the operators.
    if (error instanceof NoApplication) return { endpointArn: null, isApplicationMissing: true };
    throw error;
  }
}

/**
 * Not where somebody has registered the old token meanwhile. Who does so in between the look and the deletion has an
 * endpoint that is gone, until the app's next registration.
 */
export async function deleteLeft({ sns }: Clients, tables: OwnersTable, left: readonly string[]): Promise<void> {
  const deleted = left.map(async (arn) => {
    const [owner] = (await readOwners(tables, [endpointKey(arn)])).values();
    if (!owner) await deleteEndpoint(sns, arn);
  });
  await Promise.all(deleted);
}

/**
 * Deletes the endpoint first, for the same reason: after a failure the next attempt still finds the row. If the endpoint was deleted
 * and the row stayed, the app's next registration makes the endpoint again.
 */
export async function unregister(
  { sns }: Clients,
  tables: DeviceTable & RemovingTables,
  { known, ...owner }: Owner & { known?: Device | null },
  options: RetryOptions = {},
): Promise<void> {
  await retryOnContention(async (attempt) => {
    const isKnown = attempt === 0 && known !== undefined;
    const device = isKnown ? known : await readDevice(tables, owner);
    if (!device) return true;
    if (device.endpointArn !== null) await deleteEndpoint(sns, device.endpointArn);
    return (await removeDevice(tables, device)) || contended;
  }, options);
}
