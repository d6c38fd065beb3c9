import { optionalFieldDefaults } from '../rules/site.ts';
import { readSite } from '../stores/sites.ts';
import { createSite } from '../workflows/change-site.ts';
import { putStaff } from '../workflows/change-staff.ts';

/** Fixed, so that every start of the local stage has the same past. */
const seededAt = new Date('2026-01-01T00:00:00.000Z');

export const seededSite = { siteId: 'example-site', code: 'TRYTHEAP', name: 'Example sleep clinic' };

type SeedTables = Parameters<typeof createSite>[0] & Parameters<typeof putStaff>[0];

/** One site, whose code is known, and a physician who works there; what is there already stays as it is. */
export async function seedSite(tables: SeedTables, { userId }: { userId: string }): Promise<void> {
  const { siteId, code, name } = seededSite;
  const occasion = { application: 'medinfo', actor: 'seed', requestId: 'seed', realNow: new Date() };
  if (await readSite(tables.Sites, siteId)) return;
  const wanted = { ...optionalFieldDefaults, siteId, name, timezone: 'Europe/Berlin', now: seededAt };
  await createSite(tables, wanted, { ...occasion, once: null }, { code: () => code });
  await putStaff(tables, { userId, siteId, name: 'Dr. Ada Example', now: seededAt }, occasion);
}
