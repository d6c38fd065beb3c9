import type { Person, SetUp } from '../../../lib/explore/scenario.ts';
import { putConsent } from '../../consented.ts';
import { patient, physician } from '../../explorer/people.ts';

/** A site at which a physician works and which the patient is with; the patient shares data with it. */

export const siteId = 'site-1';
export const otherPhysician: Person = { userId: 'physician-2', application: 'medinfo', roles: ['physician'] };

const since = '2026-01-01T00:00:00.000Z';

export async function patientAtSite({ put }: SetUp): Promise<void> {
  await put('Sites', {
    kind: 'site',
    siteKey: siteId,
    siteId,
    name: 'Site',
    timezone: 'Europe/Berlin',
    status: 'open',
  });
  for (const { userId } of [physician, otherPhysician]) {
    await put('Staff', { userId, part: 'profile', name: userId }, { userId, part: `site#${siteId}`, since });
    await put('SiteStaff', { siteId, userId, since });
    await put('StaffAccounts', { kind: 'staff', userId, roles: ['physician'], status: 'active', endedAt: null });
  }
  await put('CareRelations', { userId: patient.userId, siteId, since });
  await put('SitePatients', { siteId, userId: patient.userId, since });
  await putConsent(put, { userId: patient.userId, recordId: 'record-1', recordedAt: since });
}
