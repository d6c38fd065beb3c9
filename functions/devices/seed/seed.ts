import type { PlatformApplications } from '../../../lib/contract/push-platforms.ts';
import { readDevice } from '../stores/device-rows.ts';
import { type Clients, type RegisteringTables, register } from '../workflows/registration.ts';

/** Fixed, so that every start of the local stage has the same past. */
const seededAt = new Date('2026-01-01T00:00:00.000Z');

/** Phones that nobody holds: a test push can be looked at without an app. */
const phones = [
  { deviceId: 'patient-iphone', platform: 'ios', locale: 'de-DE', token: '5eed1e55'.repeat(8) },
  { deviceId: 'patient-android', platform: 'android', locale: 'en-GB', token: 'seeded-android-token' },
] as const;

/** Registers a user's phones, as the app would; one that is registered already stays as it is. */
export async function seedDevices(
  clients: Clients,
  tables: RegisteringTables,
  { userId, applications }: { userId: string; applications: PlatformApplications },
): Promise<void> {
  for (const { deviceId, ...phone } of phones) {
    const owner = { userId, deviceId };
    if (await readDevice(tables, owner)) continue;
    const registration = { ...phone, environment: 'production', appVersion: '2.0.0' } as const;
    await register(clients, tables, { ...owner, registration, applications, now: seededAt });
  }
}
