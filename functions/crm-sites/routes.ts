import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { append, batch, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { ConsentStates } from '../access/consent-states.ts';
import { AuditEvents } from '../audit/tables.ts';
import { administerSites } from '../crm-users/permissions.ts';
import { SearchName, ShownName } from '../crm-users/schemas.ts';
import { StaffDirectory } from '../crm-users/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import { SiteClosed, SiteCodeLocked, SiteInUse, SiteLimitReached, SiteNotFound } from './errors.ts';
import { readOwnSites, writeOwnSites } from './permissions.ts';
import {
  endingUses,
  JoinedSite,
  NewSite,
  OwnSite,
  relationUses,
  SearchPostalCode,
  Site,
  SiteChange,
} from './schemas.ts';
import { CareRelations, SiteCodeTries, SitePatients, SiteStaff, Sites, Staff } from './tables.ts';

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

/** As people type it. What cannot be a code of ours was mistyped, and is no try. */
const Code = z.string().check(
  z.maxLength(64, { abort: true }),
  z.regex(
    /^[\s-]*([ACDEFGHJKMNPQRTUVWXYacdefghjkmnpqrtuvwxy34679][\s-]*){8}$/,
    'must be the eight letters and digits of a site, with or without spaces and hyphens',
  ),
  z.overwrite((typed) => typed.replaceAll(/[\s-]/g, '').toUpperCase()),
);

const joiningUses = joined(relationUses, [get(SiteCodeTries), append(SiteCodeTries), get(ConsentStates)]);

export const joinSiteByCode = route({
  method: 'POST',
  path: '/users/me/sites',
  summary: 'The caller joins a site by its code',
  description:
    'Upper or lower case, spaces and hyphens of the code do not matter. Joining a site is not a consent to share ' +
    'data with it: `missingAgreementId` names the agreement for that. Idempotent: the first `since` stays. After ' +
    'ten wrong codes within an hour 429 `SITE_CODE_LOCKED`.',
  applications: ['sleepcare'],
  auth: writeOwnSites,
  uses: joiningUses,
  body: z.object({ code: Code }),
  response: JoinedSite,
  errors: [SiteNotFound, SiteCodeLocked, SiteLimitReached],
});

export const joinSite = route({
  method: 'PUT',
  path: '/users/me/sites/{siteId}',
  summary: 'The caller joins a site whose id the app knows',
  description:
    'Like `POST /users/me/sites`, but the code must be the code of this site: for a link or a QR code that ' +
    'contains both. Idempotent: a patient that is already with the site stays with it, even if the code has ' +
    'changed.',
  applications: ['sleepcare'],
  auth: writeOwnSites,
  uses: joiningUses,
  params: ofSite,
  body: z.object({ code: Code }),
  response: JoinedSite,
  errors: [SiteNotFound, SiteCodeLocked, SiteLimitReached],
});

export const listOwnSites = route({
  method: 'GET',
  path: '/users/me/sites',
  summary: 'The sites that the caller has joined',
  applications: ['sleepcare'],
  auth: readOwnSites,
  uses: [read(CareRelations), batch(Sites)],
  cursor: 'siteId',
  items: OwnSite,
  errors: [],
});

export const chooseMainSite = route({
  method: 'PATCH',
  path: '/users/me/sites/{siteId}',
  summary: 'The caller chooses the main site, or chooses to have none',
  description:
    'A caller has at most one main site: choosing another one replaces it. A caller that leaves the main site has ' +
    'none. Tickets and urgent flags go to the main site or, without one, to the site that the caller joined ' +
    'first.',
  applications: ['sleepcare'],
  auth: writeOwnSites,
  uses: [read(CareRelations), append(CareRelations), get(SiteCodeTries), append(SiteCodeTries), batch(Sites)],
  params: ofSite,
  body: z.object({ main: z.boolean() }),
  response: OwnSite,
  errors: [SiteNotFound],
});

export const leaveSite = route({
  method: 'DELETE',
  path: '/users/me/sites/{siteId}',
  summary: 'The caller leaves a site',
  description:
    "After the answer, no new request of the site's staff gets the caller's data through this site. Idempotent: " +
    'if the caller is not with the site, the call succeeds as well.',
  applications: ['sleepcare'],
  auth: writeOwnSites,
  uses: endingUses,
  params: ofSite,
  response: z.object({ success: z.boolean(), siteId: Id }),
  errors: [SiteNotFound],
});
