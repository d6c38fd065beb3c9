import * as z from 'zod/mini';
import { dataSharing } from '../../lib/contract/access.ts';
import { Conflict, PreconditionFailed, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, Instant, pathId, QueryInstant, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { AuditEvents } from '../audit/tables.ts';
import { readPatients } from '../crm-patients/permissions.ts';
import { QuestionnaireNotFound } from '../questionnaires/errors.ts';
import { Answers, QuestionnaireId } from '../questionnaires/schemas.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import {
  QuestionnaireAnswered,
  QuestionnaireFlagNotFound,
  QuestionnaireNotDue,
  QuestionnaireResponseAmended,
  QuestionnaireResponseCompleted,
  QuestionnaireResponseDeleted,
  QuestionnaireResponseNotCompleted,
  QuestionnaireResponseNotFound,
} from './errors.ts';
import { readFlags, readOwnResponses, writeOwnResponses } from './permissions.ts';
import {
  OwnQuestionnaireResponse,
  QuestionnaireFlag,
  QuestionnaireOccurrence,
  QuestionnaireResponse,
} from './schemas.ts';
import { QuestionnaireFlags, QuestionnaireResponses } from './tables.ts';

export const listDueBundles = route({
  method: 'GET',
  path: '/questionnaires/bundles',
  summary: 'Which questionnaires are to be answered, and when',
  description:
    "Each occurrence of a bundle with its window, whose dates are the patient's own and both in it, and the status of each " +
    'questionnaire: `upcoming`, `due`, `in-progress`, `completed`, `missed`. A bundle without a window is always open: once ' +
    'completed it takes another response at any time.',
  applications: ['sleepcare'],
  auth: readOwnResponses,
  uses: [read(Questionnaires), read(QuestionnaireResponses), get(Users), read(Entitlements)],
  items: QuestionnaireOccurrence,
  errors: [],
});

const ofResponse = z.object({ responseId: pathId(QuestionnaireResponseNotFound) });

export const readQuestionnaireResponse = route({
  method: 'GET',
  path: '/questionnaires/responses/{responseId}',
  summary: "One of the caller's responses, as it is now",
  description: 'With `Accept: application/fhir+json` it is a FHIR R4 `QuestionnaireResponse`.',
  applications: ['sleepcare'],
  auth: readOwnResponses,
  uses: [read(QuestionnaireResponses), read(Questionnaires), get(Users)],
  params: ofResponse,
  headers: z.object({ accept: z.optional(z.string()) }),
  alternatives: ['application/fhir+json'],
  etag: true,
  response: OwnQuestionnaireResponse,
  errors: [QuestionnaireResponseNotFound],
});

const recordedAt = z.optional(Instant);
const ifMatch = z.object({ 'if-match': z.optional(z.string()) });

export const putQuestionnaireResponse = route({
  method: 'PUT',
  path: '/questionnaires/responses/{responseId}',
  summary: 'Writes a complete draft of a response',
  description:
    'The app makes `responseId`, and can write without network and send later. `recordedAt` is when the patient wrote it: of two ' +
    'phones the later one stays, whichever arrives last, and `replacedAt` says when that was recorded which it replaced. An ' +
    'older write changes nothing and is answered with what is there: compare `recordedAt`. With `If-Match` the state that it ' +
    'names is replaced, else 412. The same request again writes nothing. With `bundleId` it is the response of the ' +
    'occurrence that was open then: of two, the first that is not completed. Answers to items that are not asked just now are ' +
    'kept until it is completed. With `Content-Type: application/fhir+json` the body is a FHIR R4 `QuestionnaireResponse` with ' +
    'the canonical URL and the version of its questionnaire: `authored` is `recordedAt`, and whatever its status is it makes a ' +
    'draft. What this service exported comes back whole; what has no place in a draft is 400.',
  applications: ['sleepcare'],
  auth: writeOwnResponses,
  uses: [
    read(QuestionnaireResponses),
    append(QuestionnaireResponses),
    read(Questionnaires),
    get(Users),
    read(Entitlements),
  ],
  // The app makes the id: another form is its mistake, not something that is not there.
  params: z.object({ responseId: Id }),
  headers: ifMatch,
  body: z.object({
    questionnaireId: QuestionnaireId,
    version: Id,
    bundleId: z.optional(Id),
    answers: Answers,
    recordedAt,
  }),
  otherBodies: ['application/fhir+json'],
  etag: true,
  response: QuestionnaireResponse,
  errors: [
    ValidationFailed,
    QuestionnaireNotFound,
    QuestionnaireResponseCompleted,
    QuestionnaireResponseDeleted,
    QuestionnaireNotDue,
    QuestionnaireAnswered,
    Conflict,
    PreconditionFailed,
  ],
});

export const deleteQuestionnaireResponse = route({
  method: 'DELETE',
  path: '/questionnaires/responses/{responseId}',
  summary: 'Deletes a draft',
  description:
    'Idempotent. A draft that another phone recorded earlier than `recordedAt` does not come back when it arrives later; one ' +
    'that was recorded after it stays, and `isDeleted` is false. The answers are gone at once.',
  applications: ['sleepcare'],
  auth: writeOwnResponses,
  uses: [read(QuestionnaireResponses), replace(QuestionnaireResponses)],
  params: ofResponse,
  query: z.object({ recordedAt: z.optional(QueryInstant) }),
  headers: ifMatch,
  response: z.object({ responseId: Id, isDeleted: z.boolean(), recordedAt: Timestamp }),
  errors: [QuestionnaireResponseNotFound, QuestionnaireResponseCompleted, PreconditionFailed],
});

const changed = [
  read(QuestionnaireResponses),
  append(QuestionnaireResponses),
  read(Questionnaires),
  read(QuestionnaireFlags),
  append(QuestionnaireFlags),
  check(QuestionnaireFlags),
  get(Users),
] as const;

export const completeQuestionnaireResponse = route({
  method: 'POST',
  path: '/questionnaires/responses/{responseId}/complete',
  summary: 'Completes a response, which is immutable from then on',
  description:
    'Every required item that is asked has an answer, else 400 names each; a text of blanks is none. Answers that cannot be ' +
    "together, as the questionnaire's `constraints` say, are 400, too. Answers to items that are not asked are dropped, and " +
    'the scores computed. With `If-Match` it is the draft that the app has seen, else 412. Again: the same result. Where an answer must be looked at by a person, `flags` is not empty, and ' +
    '`crisisHelp` says whom to call: nobody watches in real time.',
  applications: ['sleepcare'],
  auth: writeOwnResponses,
  uses: joined(changed, [get(Entitlements)]),
  params: ofResponse,
  headers: ifMatch,
  body: z.optional(z.object({ recordedAt })),
  response: OwnQuestionnaireResponse,
  errors: [ValidationFailed, QuestionnaireResponseNotFound, QuestionnaireNotDue, PreconditionFailed],
});

export const amendQuestionnaireResponse = route({
  method: 'POST',
  path: '/questionnaires/responses/{responseId}/amend',
  summary: 'Corrects a completed response by a new one',
  description:
    'The app makes the `responseId` of the correction, which is completed at once and names the one that it amends; that one ' +
    'stays as it was and names its correction. The same request again changes nothing. A flag that stays raised is the same one. With `If-Match` the ' +
    'earlier one is as the app has seen it, else 412.',
  applications: ['sleepcare'],
  auth: writeOwnResponses,
  uses: changed,
  params: ofResponse,
  headers: ifMatch,
  body: z.object({ responseId: Id, answers: Answers, recordedAt }),
  response: OwnQuestionnaireResponse,
  errors: [
    ValidationFailed,
    QuestionnaireResponseNotFound,
    QuestionnaireResponseNotCompleted,
    QuestionnaireResponseAmended,
    Conflict,
    PreconditionFailed,
  ],
});

const completedOnes = z.object({
  questionnaireId: z.optional(Id),
  from: z.optional(QueryInstant),
  to: z.optional(QueryInstant),
});

export const listQuestionnaireResponses = route({
  method: 'GET',
  path: '/questionnaires/responses',
  summary: "The caller's completed responses, newest first",
  description: 'Completed from `from` until before `to`; `questionnaireId` leaves the other questionnaires out.',
  applications: ['sleepcare'],
  auth: readOwnResponses,
  uses: [read(QuestionnaireResponses)],
  query: completedOnes,
  items: QuestionnaireResponse,
  errors: [],
});

export const listPatientResponses = route({
  method: 'GET',
  path: '/users/{userId}/questionnaires/responses',
  summary: "The completed responses of a patient of the caller's sites, newest first",
  description:
    'With their scores; drafts are the patient’s own. Completed from `from` until before `to`; `questionnaireId` leaves the other ' +
    'questionnaires out. The patient sees who looked, when, and on which consent.',
  applications: ['medinfo'],
  auth: readPatients,
  about: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: [read(QuestionnaireResponses)],
  params: z.object({ userId: pathId(UserNotFound) }),
  query: completedOnes,
  items: QuestionnaireResponse,
  errors: [UserNotFound],
});

export const listFlags = route({
  method: 'GET',
  path: '/questionnaires/flags',
  summary: 'Answers that a person must look at',
  description:
    'The open ones, oldest first; with `state=acknowledged` those that somebody has seen to, newest first. An alarm rings as long ' +
    'as one is open.',
  applications: ['medinfo'],
  auth: readFlags,
  about: { each: 'userId', relation: 'safety' },
  uses: [read(QuestionnaireFlags)],
  query: z.object({ state: z.optional(z.enum(['open', 'acknowledged'])) }),
  items: QuestionnaireFlag,
  errors: [],
});

export const acknowledgeFlag = route({
  method: 'POST',
  path: '/questionnaires/flags/{flagId}/acknowledge',
  summary: 'Acknowledges a flag: the caller takes care of it',
  description: 'Idempotent: whoever was first stays. Audited.',
  applications: ['medinfo'],
  auth: readFlags,
  about: { each: 'userId', relation: 'safety' },
  uses: [read(QuestionnaireFlags), replace(QuestionnaireFlags), append(AuditEvents)],
  params: z.object({ flagId: pathId(QuestionnaireFlagNotFound) }),
  response: QuestionnaireFlag,
  errors: [QuestionnaireFlagNotFound],
});
