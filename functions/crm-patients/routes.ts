import * as z from 'zod/mini';
import { dataSharing } from '../../lib/contract/access.ts';
import { Id, Locale, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { batch, get, read } from '../../lib/contract/uses.ts';
import { SiteNotFound } from '../crm-sites/errors.ts';
import { SitePatients, Sites } from '../crm-sites/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import { readPatients } from './permissions.ts';

/** What follows `since` is null for a patient who does not consent to `data-sharing`. */
export const PatientLine = z.object({
  userId: z.string(),
  siteId: Id,
  /** Since when the patient is with the site. */
  since: Timestamp,
  /** Since when the patient consents, and to which version. */
  sharedSince: z.nullable(Timestamp),
  versionId: z.nullable(Id),
  email: z.nullable(z.string()),
  locale: z.nullable(Locale),
  timezone: z.nullable(z.string()),
});

export const listPatients = route({
  method: 'GET',
  path: '/crm/patients',
  summary: "The patients of the caller's sites",
  description:
    'A line for each patient and site: who is with two of the sites has two. Site by site, in the order of their ids. Of a patient who ' +
    'does not consent to `data-sharing` only user id, site and date are shown. Patients whose accounts are closed are left out, so that a page may hold fewer than ' +
    '`limit`: `hasMore` alone says whether another follows. Each patient sees that the list was looked at.',
  applications: ['medinfo'],
  auth: readPatients,
  about: {
    each: 'userId',
    relation: 'care',
    consent: dataSharing,
    withoutConsent: ['userId', 'siteId', 'since'],
  },
  uses: [read(SitePatients), batch(Users)],
  query: z.object({
    /** One of the caller's sites alone. */
    siteId: z.optional(Id),
  }),
  items: PatientLine,
  errors: [SiteNotFound],
});

/** As the patient's own app shows and sets them; null where the app has not stated them, or has not been started yet. */
export const PatientProfile = z.object({
  email: z.nullable(z.string()),
  locale: z.nullable(Locale),
  timezone: z.nullable(z.string()),
});

/** The consent on which the page rests. */
export const PatientConsent = z.object({ agreementId: Id, versionId: Id, recordId: z.string(), agreedAt: Timestamp });

/** A site that the caller and the patient have in common. */
export const PatientSite = z.object({ siteId: Id, name: z.string(), since: Timestamp });

export const readPatient = route({
  method: 'GET',
  path: '/crm/patients/{userId}',
  summary: "A patient of the caller's sites",
  description: 'The patient sees who looked, when, and on which consent.',
  applications: ['medinfo'],
  auth: readPatients,
  about: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: [get(Users), batch(Sites)],
  params: z.object({ userId: pathId(UserNotFound) }),
  response: z.object({
    userId: z.string(),
    profile: PatientProfile,
    sites: z.array(PatientSite),
    consent: PatientConsent,
  }),
  errors: [UserNotFound],
});
