import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { ConsentStates } from '../../lib/contract/consent-states.ts';
import { Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, check, get, joined, read, replace, userPool } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { StaffDirectory } from '../crm-users/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import { SiteClosed, SiteCodeLocked, SiteInUse, SiteLimitReached, SiteNotFound } from './errors.ts';
import { administerSites, readOwnSites, writeOwnSites } from './permissions.ts';
import {
  endingUses,
  JoinedSite,
  NewSite,
  OwnSite,
  relationUses,
  SearchName,
  SearchPostalCode,
  Site,
  SiteChange,
  SiteName,
} from './schemas.ts';
import { CareRelations, SiteCodeTries, SitePatients, SiteStaff, Sites, Staff } from './tables.ts';

export { OwnSite, Site, SiteAddress, SiteHours, SiteOpeningHours } from './schemas.ts';

const ofSite = z.object({ siteId: pathId(SiteNotFound) });

export const createSite = route({
  method: 'POST',
  path: '/crm/sites',
  summary: 'Creates a site: a clinic or practice',
  description: withKeyNote('It is open at once, with nobody in it, and has a code of its own.'),
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
  summary: 'All sites, in the order in which they were created, or those that are searched for',
  description:
    '`name` or `postalCode`: how it begins; then in its order. Case, accents and punctuation do not count, and `ü`, `u` and `ue` are one.',
  applications: ['medinfo'],
  auth: administerSites,
  uses: [read(Sites)],
  query: z.object({ name: z.optional(SearchName), postalCode: z.optional(SearchPostalCode) }),
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
    'On the condition of `If-Match`. What is left out stays; null takes back. Nobody comes to a closed site, and whoever is with it stays.',
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
  summary: 'Deletes a closed site that nobody is with',
  description:
    'On the condition of `If-Match`. A site that is open, or that patients or staff are with, is 409 `SITE_IN_USE`: it is closed, and not deleted.',
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
    'For a code that became known to others: it opens nothing from then on. Whoever is with the site stays. With an ' +
    '`Idempotency-Key`, a request that the caller repeats within a day gets the first answer.',
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
    "From then on they can look at the data of the site's patients who consent to it, as far as their role lets them. `name` is what these " +
    'patients see, and the name of the person at all their sites. Idempotent: the first `since` stays. Nobody new comes to a closed site.',
  applications: ['medinfo'],
  auth: administerSites,
  about: { param: 'userId', exception: 'administration of staff: who works where is for the administrators to say' },
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
  body: z.object({ name: SiteName }),
  response: SiteStaffMember,
  errors: [SiteNotFound, UserNotFound, SiteClosed],
});

export const removeSiteStaff = route({
  method: 'DELETE',
  path: '/crm/sites/{siteId}/staff/{userId}',
  summary: 'Removes a member of staff from a site',
  description:
    "No request of theirs that starts after the answer gets data of the site's patients. Idempotent: who does not work there is a success.",
  applications: ['medinfo'],
  auth: administerSites,
  about: { param: 'userId', exception: 'administration of staff: who works where is for the administrators to say' },
  uses: [replace(Staff), replace(SiteStaff), get(StaffDirectory), replace(StaffDirectory), append(AuditEvents)],
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
  about: { each: 'userId', exception: 'administration of staff: who works where is for the administrators to say' },
  uses: [get(Sites), read(SiteStaff), batch(Staff)],
  params: ofSite,
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
    'The code in any case, with or without spaces and hyphens. To be with a site is not the consent to show it anything: ' +
    '`missingAgreementId` names the agreement for that. Idempotent: the first `since` stays. After ten wrong codes within an hour 429 `SITE_CODE_LOCKED`.',
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
    'As `POST /users/me/sites`, and the code has to be that of this site: for a link or a QR code that has both. Idempotent: who is with ' +
    'the site already stays so, whatever became of the code.',
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
  items: OwnSite,
  errors: [],
});

export const chooseMainSite = route({
  method: 'PATCH',
  path: '/users/me/sites/{siteId}',
  summary: 'The caller chooses a site as the main one, or no main one any more',
  description:
    'Of the sites that the caller is with one at most is the main one: another that was it is so no longer. Whoever leaves it has none then. Tickets and urgent ' +
    'flags go to the main site; where there is none, to the one that the caller has been with for longest.',
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
    "No request of the site's staff that starts after the answer gets data of the caller's by this site. Idempotent: a site that the caller is not " +
    'with is a success.',
  applications: ['sleepcare'],
  auth: writeOwnSites,
  uses: endingUses,
  params: ofSite,
  response: z.object({ success: z.boolean(), siteId: Id }),
  errors: [SiteNotFound],
});
