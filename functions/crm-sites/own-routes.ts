import * as z from 'zod/mini';
import { Id, pathId } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, get, joined, read } from '../../lib/contract/uses.ts';
import { ConsentStates } from '../access/consent-states.ts';
import { SiteCodeLocked, SiteLimitReached, SiteNotFound } from './errors.ts';
import { readOwnSites, writeOwnSites } from './permissions.ts';
import { endingUses, JoinedSite, OwnSite, relationUses } from './schemas.ts';
import { CareRelations, SiteCodeTries, Sites } from './tables.ts';

/** The routes of patients about their own sites. */

const ofSite = z.object({ siteId: pathId(SiteNotFound) });

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
