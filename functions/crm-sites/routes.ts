import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { append, batch, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { administerSites } from '../crm-users/permissions.ts';
import { SearchName, ShownName } from '../crm-users/schemas.ts';
import { StaffDirectory } from '../crm-users/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import { SiteClosed, SiteInUse, SiteNotFound } from './errors.ts';
import { NewSite, SearchPostalCode, Site, SiteChange } from './schemas.ts';
import { SitePatients, SiteStaff, Sites, Staff } from './tables.ts';

export * from './own-routes.ts';
export { OwnSite, Site, SiteAddress, SiteHours, SiteOpeningHours } from './schemas.ts';

const ofSite = z.object({ siteId: pathId(SiteNotFound) });

export const createSite = route({
  method: 'POST',
  path: '/crm/sites',
  summary: 'Creates a site: a clinic or practice',
  description: withKeyNote(
    'The site is open at once, has its own code, and has no patients or staff yet. Together: `openingHours` have an open hour.',
  ),
  applications: ['medinfo'],
  auth: administerSites,
  uses: joined([read(Sites), append(Sites), append(AuditEvents)], idempotencyUses),
  headers: idempotencyHeaders,
  body: NewSite,
  status: 201,
  response: Site,
  errors: [IdempotencyKeyReused],
});

export const listSites = route({
  method: 'GET',
  path: '/crm/sites',
  summary: 'All sites in the order of their creation, or the results of a search',
  description:
    '`name` or `postalCode` is the beginning of the text; the result is then sorted by it. Case, accents and ' +
    'punctuation are ignored, and `ü`, `u` and `ue` are equal.' +
    ' Together: send `name` or `postalCode`, not both; either has a letter or a digit.',
  applications: ['medinfo'],
  auth: administerSites,
  uses: [read(Sites)],
  query: z.object({ name: z.optional(SearchName), postalCode: z.optional(SearchPostalCode) }),
  cursor: 'siteKey',
  items: Site,
  errors: [ValidationFailed],
});

export const readSite = route({
  method: 'GET',
  path: '/crm/sites/{siteId}',
  summary: 'A site',
  applications: ['medinfo'],
  auth: administerSites,
  uses: [get(Sites)],
  params: ofSite,
  response: Site,
  etag: true,
  errors: [SiteNotFound],
});

const ifMatch = z.object({ 'if-match': z.optional(z.string()) });

export const updateSite = route({
  method: 'PATCH',
  path: '/crm/sites/{siteId}',
  summary: 'Changes a site, closes it or opens it again',
  description:
    'Requires `If-Match`. Fields that are left out stay; null clears a field. Nobody can join a closed site; ' +
    'patients and staff that are already with it stay. Together: `openingHours` have an open hour.',
  applications: ['medinfo'],
  auth: administerSites,
  uses: [get(Sites), replace(Sites), append(AuditEvents)],
  params: ofSite,
  headers: ifMatch,
  body: SiteChange,
  response: Site,
  etag: true,
  errors: [SiteNotFound, PreconditionFailed, PreconditionRequired],
});

export const deleteSite = route({
  method: 'DELETE',
  path: '/crm/sites/{siteId}',
  summary: 'Deletes a closed site without patients and staff',
  description:
    'Requires `If-Match`. If the site is open, or patients or staff are with it, the answer is 409 `SITE_IN_USE`: ' +
    'close such a site instead of deleting it.',
  applications: ['medinfo'],
  auth: administerSites,
  uses: [get(Sites), replace(Sites), read(SitePatients), read(SiteStaff), append(AuditEvents)],
  params: ofSite,
  headers: ifMatch,
  response: z.object({ success: z.boolean(), siteId: Id }),
  errors: [SiteNotFound, SiteInUse, PreconditionFailed, PreconditionRequired],
});

export const renewSiteCode = route({
  method: 'POST',
  path: '/crm/sites/{siteId}/code',
  summary: 'Replaces the code of a site',
  description:
    'For a code that other people know: the old code stops working. Patients that are already with the site stay. ' +
    'With an `Idempotency-Key`, a request that the caller repeats within a day gets the first answer.',
  applications: ['medinfo'],
  auth: administerSites,
  uses: joined([replace(Sites), get(Sites), append(AuditEvents)], idempotencyUses),
  headers: idempotencyHeaders,
  params: ofSite,
  response: z.object({ siteId: Id, code: z.string() }),
  errors: [SiteNotFound, IdempotencyKeyReused],
});

export const SiteStaffMember = z.object({
  siteId: Id,
  userId: z.string(),
  /** As patients see it: one for all sites of the person. */
  name: z.string(),
  since: Timestamp,
});

const ofStaff = z.object({ siteId: pathId(SiteNotFound), userId: pathId(UserNotFound) });

export const putSiteStaff = route({
  method: 'PUT',
  path: '/crm/sites/{siteId}/staff/{userId}',
  summary: 'Adds a member of staff to a site',
  description:
    "From then on the person can read the data of the site's patients that consent to it, as far as the person's " +
    "role permits. Patients see `name`; it is the person's name at all their sites. Idempotent: the first `since` " +
    'stays. Nobody can be added to a closed site.',
  applications: ['medinfo'],
  auth: administerSites,
  dataSubject: {
    param: 'userId',
    exception: 'administration of staff: who works where is for the administrators to say',
  },
  uses: [
    get(Sites),
    check(Sites),
    get(Users),
    get(Staff),
    append(Staff),
    append(SiteStaff),
    get(StaffDirectory),
    replace(StaffDirectory),
    append(AuditEvents),
    get(Accounts),
    check(Accounts),
    userPool('read'),
  ],
  params: ofStaff,
  body: z.object({ name: ShownName }),
  response: SiteStaffMember,
  errors: [SiteNotFound, UserNotFound, SiteClosed],
});

export const removeSiteStaff = route({
  method: 'DELETE',
  path: '/crm/sites/{siteId}/staff/{userId}',
  summary: 'Removes a member of staff from a site',
  description:
    "After the answer, no new request of the person gets data of the site's patients through this site. " +
    'Idempotent: if the person does not work there, the call succeeds as well.',
  applications: ['medinfo'],
  auth: administerSites,
  dataSubject: {
    param: 'userId',
    exception: 'administration of staff: who works where is for the administrators to say',
  },
  uses: [
    get(Staff),
    replace(Staff),
    replace(SiteStaff),
    get(StaffDirectory),
    replace(StaffDirectory),
    append(AuditEvents),
  ],
  params: ofStaff,
  response: z.object({ success: z.boolean(), siteId: Id, userId: z.string() }),
  errors: [SiteNotFound, UserNotFound],
});

export const listSiteStaff = route({
  method: 'GET',
  path: '/crm/sites/{siteId}/staff',
  summary: 'Who works at a site',
  applications: ['medinfo'],
  auth: administerSites,
  dataSubject: {
    each: 'userId',
    exception: 'administration of staff: who works where is for the administrators to say',
  },
  uses: [get(Sites), read(SiteStaff), batch(Staff)],
  params: ofSite,
  cursor: 'userId',
  items: SiteStaffMember,
  errors: [SiteNotFound],
});
