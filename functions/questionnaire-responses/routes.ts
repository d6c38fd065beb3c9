import * as z from 'zod/mini';
import { Conflict, PreconditionFailed, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, Instant, pathId, QueryInstant, Timestamp, WriteOutcome } from '../../lib/contract/fields.ts';
import { instants, instantsInOrder } from '../../lib/contract/ranges.ts';
import { route } from '../../lib/contract/route.ts';
import { append, check, discard, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { dataSharing } from '../product.ts';
import { QuestionnaireNotFound } from '../questionnaires/errors.ts';
import { Answers, QuestionnaireId } from '../questionnaires/schemas.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import { SleepWindows } from '../window-runs/tables.ts';
import {
  QuestionnaireAnswered,
  QuestionnaireNotDue,
  QuestionnaireResponseAmended,
  QuestionnaireResponseCompleted,
  QuestionnaireResponseDeleted,
  QuestionnaireResponseNotCompleted,
  QuestionnaireResponseNotFound,
} from './errors.ts';
import { readOwnResponses, readPatients, writeOwnResponses } from './permissions.ts';
import {
  OwnQuestionnaireResponse,
  QuestionnaireOccurrence,
  QuestionnaireResponse,
  QuestionnaireScoreValue,
  WrittenQuestionnaireResponse,
} from './schemas.ts';
import { QuestionnaireFlags, QuestionnaireResponses } from './tables.ts';

export * from './flag-routes.ts';

export const listDueBundles = route({
  method: 'GET',
  path: '/questionnaires/bundles',
  summary: 'Which questionnaires the caller should answer, and when',
  description:
    'Each occurrence of a bundle, with its window and the status of each questionnaire: `upcoming`, `due`, ' +
    "`in-progress`, `completed`, `missed`. The window's dates are in the patient's time zone, and both belong to " +
    'the window. Some bundles are due again and again while the patient has a sleep window. A bundle without a ' +
    'window is always open: after a response is completed, another one can begin at any time.',
  applications: ['sleepcare'],
  auth: readOwnResponses,
  uses: [read(Questionnaires), read(QuestionnaireResponses), get(Users), read(Entitlements), read(SleepWindows)],
  cursor: 'place',
  items: QuestionnaireOccurrence,
  errors: [],
});

const ofResponse = z.object({ responseId: pathId(QuestionnaireResponseNotFound) });

export const readQuestionnaireResponse = route({
  method: 'GET',
  path: '/questionnaires/responses/{responseId}',
  summary: "One of the caller's responses, as it is now",
  description: 'With `Accept: application/fhir+json` the answer is a FHIR R4 `QuestionnaireResponse`.',
  applications: ['sleepcare'],
  auth: readOwnResponses,
  uses: [read(QuestionnaireResponses), read(Questionnaires), get(Users)],
  params: ofResponse,
  headers: z.object({ accept: z.optional(z.string()), 'accept-language': z.optional(z.string()) }),
  alternatives: ['application/fhir+json'],
  etag: true,
  response: OwnQuestionnaireResponse,
  errors: [QuestionnaireResponseNotFound],
});

const recordedAt = z.optional(Instant);
const ifMatch = z.object({ 'if-match': z.optional(z.string()) });
const written = z.object({ 'if-match': z.optional(z.string()), 'accept-language': z.optional(z.string()) });

export const putQuestionnaireResponse = route({
  method: 'PUT',
  path: '/questionnaires/responses/{responseId}',
  summary: 'Writes a complete draft of a response',
  description:
    'The app makes `responseId`, and can write without a network and send later. `recordedAt` is when the patient ' +
    'wrote the draft. If two phones write, the draft with the later `recordedAt` stays, in whatever order they ' +
    'arrive. `replacedAt` is the `recordedAt` of the draft that it replaced. An older write changes nothing: ' +
    'its `outcome` is `superseded`, and the answer has the stored draft. With `If-Match`, the draft is replaced only if it ' +
    'still has that `ETag`; otherwise the answer is 412. Repeating the request writes nothing. With `bundleId` ' +
    'the response belongs to the occurrence that was open at `recordedAt`; if two were open, to the first that is ' +
    'not completed. Answers to items that are not asked at the moment are kept until the response is completed. ' +
    'With `Content-Type: application/fhir+json` the body is a FHIR R4 `QuestionnaireResponse` with the canonical ' +
    'URL and the version of its questionnaire. Its `authored` is used as `recordedAt`, and the result is a draft, ' +
    'whatever its status is. A resource that this service exported is accepted completely. Content that a draft ' +
    'cannot express is 400. If a person must look at an answer once the draft is completed, `crisisHelp` says whom ' +
    'to call, and that nobody sees the draft.',
  applications: ['sleepcare'],
  auth: writeOwnResponses,
  uses: [
    read(QuestionnaireResponses),
    append(QuestionnaireResponses),
    discard(QuestionnaireResponses),
    read(Questionnaires),
    get(Users),
    read(Entitlements),
    read(SleepWindows),
  ],
  // The app makes the id. So an invalid id is a mistake of the app, and not a response that is missing.
  params: z.object({ responseId: Id }),
  headers: written,
  body: z.object({
    questionnaireId: QuestionnaireId,
    version: Id,
    bundleId: z.optional(Id),
    answers: Answers,
    recordedAt,
  }),
  otherBodies: ['application/fhir+json'],
  etag: true,
  response: WrittenQuestionnaireResponse,
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
    'Idempotent. If another phone recorded a draft before `recordedAt` and sends it later, the draft does not ' +
    'come back. A draft that was recorded after `recordedAt` stays: `isDeleted` is false, and `outcome` is ' +
    '`superseded`. The answers are deleted at once.',
  applications: ['sleepcare'],
  auth: writeOwnResponses,
  uses: [read(QuestionnaireResponses), replace(QuestionnaireResponses)],
  params: ofResponse,
  query: z.object({ recordedAt: z.optional(QueryInstant) }),
  headers: ifMatch,
  response: z.object({ responseId: Id, isDeleted: z.boolean(), recordedAt: Timestamp, outcome: WriteOutcome }),
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
    'Each required item that is asked needs an answer; otherwise the answer is 400, which names each such item. A ' +
    "text of blanks is not an answer. Answers that contradict each other by the questionnaire's `constraints` " +
    'are 400, too. Answers to items that are not asked are dropped, and the scores are computed. With `If-Match`, ' +
    'the answer is 412 if the draft has changed since the app read it. A repeated request gets the same result. ' +
    '`outcome` is `superseded` if the completed draft was recorded after `recordedAt`, as another phone does. If a person must look at an answer, `flags` is not empty, and `crisisHelp` says whom to call, because nobody ' +
    'watches in real time.' +
    ' Together: answers keep the `constraints` of the questionnaire.',
  applications: ['sleepcare'],
  auth: writeOwnResponses,
  uses: joined(changed, [get(Entitlements), discard(QuestionnaireResponses)]),
  params: ofResponse,
  headers: written,
  body: z.optional(z.object({ recordedAt })),
  response: WrittenQuestionnaireResponse,
  errors: [ValidationFailed, QuestionnaireResponseNotFound, QuestionnaireNotDue, PreconditionFailed],
});

export const amendQuestionnaireResponse = route({
  method: 'POST',
  path: '/questionnaires/responses/{responseId}/amend',
  summary: 'Corrects a completed response by a new one',
  description:
    'The app makes the `responseId` of the correction. The correction is completed at once, and names the ' +
    'response that it amends. The amended response keeps its answers, and names its correction. Repeating the ' +
    'request changes nothing. A flag that both responses raise stays the same flag. With `If-Match`, the answer ' +
    'is 412 if the earlier response has changed since the app read it.' +
    ' Together: answers keep the `constraints` of the questionnaire.',
  applications: ['sleepcare'],
  auth: writeOwnResponses,
  uses: changed,
  params: ofResponse,
  headers: written,
  body: z.object({ responseId: Id, answers: Answers, recordedAt }),
  response: WrittenQuestionnaireResponse,
  errors: [
    ValidationFailed,
    QuestionnaireResponseNotFound,
    QuestionnaireResponseNotCompleted,
    QuestionnaireResponseAmended,
    Conflict,
    PreconditionFailed,
  ],
});

const asked = { questionnaireId: z.optional(Id), ...instants } as const;
const completedOnes = z.object(asked).check(instantsInOrder);
const ownOnes = z.object({ ...asked, status: z.optional(z.enum(['draft', 'completed'])) }).check(instantsInOrder);

export const listQuestionnaireResponses = route({
  method: 'GET',
  path: '/questionnaires/responses',
  summary: "The caller's completed responses or drafts, newest first",
  description:
    'With `status=draft` the drafts, by `recordedAt`, also those of no bundle: an app that was installed again finds ' +
    'them. Otherwise the completed responses, by the time of completion. They are from `from` on and before `to`; ' +
    '`questionnaireId` restricts the list to one questionnaire. A page of drafts can be shorter than `limit`. ' +
    'The list has no `crisisHelp`: it is in the single draft (`GET /questionnaires/responses/{id}`) and in the ' +
    'definition that the app keeps.',
  applications: ['sleepcare'],
  auth: readOwnResponses,
  uses: [read(QuestionnaireResponses)],
  query: ownOnes,
  cursor: 'part',
  items: QuestionnaireResponse,
  errors: [],
});

export const listQuestionnaireScores = route({
  method: 'GET',
  path: '/questionnaires/scores',
  summary: "The caller's scores as a series for a plot, newest first",
  description:
    'The scores of the responses that were completed from `from` on and before `to`; `questionnaireId` restricts the ' +
    'series to one questionnaire. A correction is no value of its own: the corrected value is shown at the time of ' +
    'the response that it corrects.',
  applications: ['sleepcare'],
  auth: readOwnResponses,
  uses: [read(QuestionnaireResponses)],
  query: completedOnes,
  cursor: ['after', 'skip'],
  items: QuestionnaireScoreValue,
  errors: [],
});

export const listPatientResponses = route({
  method: 'GET',
  path: '/users/{userId}/questionnaires/responses',
  summary: "The completed responses of a patient of the caller's sites, newest first",
  description:
    'With their scores. Drafts are shown only to the patient. The responses were completed from `from` on and ' +
    'before `to`; `questionnaireId` restricts the list to one questionnaire. The patient sees who looked, when, ' +
    'and on which consent.',
  applications: ['medinfo'],
  auth: readPatients,
  dataSubject: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: [read(QuestionnaireResponses)],
  params: z.object({ userId: pathId(UserNotFound) }),
  query: completedOnes,
  cursor: 'part',
  items: QuestionnaireResponse,
  errors: [UserNotFound],
});
