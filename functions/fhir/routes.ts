import * as z from 'zod/mini';
import { PageQuery } from '../../lib/contract/collection.ts';
import { route } from '../../lib/contract/route.ts';
import { get, read } from '../../lib/contract/uses.ts';
import { Agreements } from '../agreements/tables.ts';
import { ConsentRecords, ConsentStates } from '../consents/tables.ts';
import { QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { ConsentReceipts } from '../receipts/tables.ts';
import { SleepEntries, SleepEpisodes } from '../sleep/tables.ts';
import { Users } from '../users/tables.ts';
import { readOwnFhir } from './permissions.ts';

/** `self` is this page, `next` the one that follows; relative to the address that was asked. */
export const FhirLink = z.object({ relation: z.string(), url: z.string() });

export const FhirSearch = z.object({ mode: z.string() });

export const FhirEntry = z.object({
  /** By it a reference finds the resource in the Bundle. It is a name, and leads nowhere. */
  fullUrl: z.string(),
  /** As FHIR R4 defines its `resourceType`. */
  resource: z.record(z.string(), z.unknown()),
  search: FhirSearch,
});

/** A Bundle of FHIR R4. Without `entry` it is empty. */
export const FhirBundle = z.object({
  resourceType: z.string(),
  type: z.string(),
  link: z.array(FhirLink),
  entry: z.optional(z.array(FhirEntry)),
});

const types =
  /^(Patient|Consent|Provenance|QuestionnaireResponse|Observation)(,(Patient|Consent|Provenance|QuestionnaireResponse|Observation)){0,9}$/;

export const searchOwnFhir = route({
  method: 'GET',
  path: '/users/me/fhir',
  summary: "The caller's data as FHIR R4",
  description:
    'A page of a `searchset` Bundle: `Patient`, `Consent`, `Provenance`, `QuestionnaireResponse`, `Observation`, one type after ' +
    'another. `_type` selects some of them, for example `Consent,Observation`. `_count` is the size of a page. A page can be shorter: only the link `next` says whether another page follows. Links are relative to the address of the request. With ' +
    '`Accept: application/fhir+json` the answer has this media type.',
  applications: ['sleepcare'],
  auth: readOwnFhir,
  uses: [
    get(Users),
    read(ConsentStates),
    read(ConsentRecords),
    read(ConsentReceipts),
    read(Agreements),
    read(QuestionnaireResponses),
    read(Questionnaires),
    read(SleepEntries),
    read(SleepEpisodes),
  ],
  query: z.object({
    _count: PageQuery.shape.limit,
    _type: z.optional(z.string().check(z.regex(types, 'must be types of resources such as Consent,Observation'))),
    cursor: PageQuery.shape.cursor,
  }),
  headers: z.object({ accept: z.optional(z.string()) }),
  alternatives: ['application/fhir+json'],
  cursors: true,
  response: FhirBundle,
  errors: [],
});
