import { serve } from '../../../lib/runtime/serve.ts';
import { SiteNotFound } from '../../crm-sites/errors.ts';
import { readPatientsOf } from '../../crm-sites/exports.ts';
import { readProfiles } from '../../users/exports.ts';
import { listPatients } from '../routes.ts';

export const handler = serve(listPatients)(async ({ dataSubject, query, page, tables, fail }) => {
  const sites = dataSubject.sites.filter((siteId) => query.siteId === undefined || siteId === query.siteId);
  if (query.siteId !== undefined && sites.length === 0) return fail(SiteNotFound);
  const { relations, next } = await readPatientsOf(tables.SitePatients, sites, page);
  const consents = await dataSubject.consentsOf([...new Set(relations.map(({ userId }) => userId))]);
  // Only of patients who consent: the profiles of others are not even read.
  const profiles = await readProfiles(tables.Users, [...consents.keys()]);
  const items = relations.map(({ userId, siteId, since }) => {
    const { recordedAt: sharedSince = null, versionId = null } = consents.get(userId) ?? {};
    const { email = null, locale = null, timezone = null } = profiles.get(userId) ?? {};
    return { userId, siteId, since, sharedSince, versionId, email, locale, timezone };
  });
  return { items, next };
});
