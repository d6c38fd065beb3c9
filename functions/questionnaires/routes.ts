import * as z from 'zod/mini';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, pathId, Timestamp, WantedLocale } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, get, read } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { Users } from '../users/tables.ts';
import { QuestionnaireBundleNotFound, QuestionnaireNotFound, QuestionnaireVersionPublished } from './errors.ts';
import { administerQuestionnaires, readQuestionnaires } from './permissions.ts';
import {
  Answers,
  ImportedQuestionnaire,
  Questionnaire,
  QuestionnaireBundle,
  QuestionnaireBundleContent,
  QuestionnaireContent,
  QuestionnaireId,
  QuestionnaireTexts,
  ScoreResult,
} from './schemas.ts';
import { Questionnaires } from './tables.ts';

export const readQuestionnaire = route({
  method: 'GET',
  path: '/questionnaires/{questionnaireId}',
  summary: 'A questionnaire: its items, scores and flags',
  description:
    'The current version, or the version that the request names. A published version never changes. With `Accept: ' +
    'application/fhir+json` the answer is a FHIR R4 `Questionnaire`. If an answer to the questionnaire can raise ' +
    'a flag, `crisisHelp` says whom to call: in the language of `locale`, of `Accept-Language` or of the profile, ' +
    "and for the country of the profile's time zone, or else of its locale. Show it beside the questions. `flags` " +
    'is the rule by which an app without network knows that a draft would raise a flag.',
  applications: ['sleepcare', 'medinfo'],
  auth: readQuestionnaires,
  uses: [read(Questionnaires), get(Users)],
  params: z.object({ questionnaireId: pathId(QuestionnaireNotFound) }),
  query: z.object({ version: z.optional(Id), locale: z.optional(WantedLocale) }),
  headers: z.object({ accept: z.optional(z.string()), 'accept-language': z.optional(z.string()) }),
  alternatives: ['application/fhir+json'],
  response: Questionnaire,
  errors: [QuestionnaireNotFound],
});

export const listQuestionnaires = route({
  method: 'GET',
  path: '/questionnaires',
  summary: 'The questionnaires that are published, each with its current version',
  applications: ['sleepcare', 'medinfo'],
  auth: readQuestionnaires,
  uses: [read(Questionnaires)],
  cursor: 'questionnaireId',
  items: z.object({ questionnaireId: Id, version: Id, title: QuestionnaireTexts, publishedAt: Timestamp }),
  errors: [],
});

const administered = ['medinfo'] as const;
const changes = [read(Questionnaires), append(Questionnaires), append(AuditEvents)] as const;

export const publishQuestionnaire = route({
  method: 'PUT',
  path: '/questionnaires/{questionnaireId}/versions/{version}',
  summary: 'Publishes a version of a questionnaire, which is immutable from then on',
  description:
    'The version that was published last is the current one. Publishing the same version again with the same ' +
    'content changes nothing; with other content the answer is 409. Responses always refer to their own version.' +
    ' Together: ids are there once and name what is there, ranges have a bound, conditions name items before theirs, each text is there in the default locale, and each score and flag is of items that count.',
  applications: administered,
  auth: administerQuestionnaires,
  uses: changes,
  params: z.object({ questionnaireId: QuestionnaireId, version: Id }),
  body: QuestionnaireContent,
  response: Questionnaire,
  errors: [ValidationFailed, QuestionnaireVersionPublished],
});

export const simulateQuestionnaire = route({
  method: 'POST',
  path: '/questionnaires/simulate',
  closedAccount: 'read',
  summary: 'The result of sample answers under a definition that is not published',
  description:
    'The scores, including hidden ones, and the flags. `isComplete` says whether such a response could be ' +
    'completed. `missing` names the required items without an answer, and `impossible` the items whose answers ' +
    'contradict each other. For an invalid definition or invalid answers the answer is 400. Nothing is written.' +
    ' Together: `definition` keeps the rules of publishing, and `answers` are to its items.',
  applications: administered,
  auth: administerQuestionnaires,
  body: z.object({ definition: QuestionnaireContent, answers: Answers }),
  response: z.object({
    isComplete: z.boolean(),
    missing: z.array(z.string()),
    impossible: z.array(z.string()),
    enabled: z.array(z.string()),
    scores: z.array(ScoreResult),
    flags: z.array(z.string()),
  }),
  errors: [ValidationFailed],
});

export const importQuestionnaire = route({
  method: 'POST',
  path: '/questionnaires/imports',
  closedAccount: 'read',
  summary: 'Converts a FHIR R4 Questionnaire to a definition',
  description:
    'The answer has a definition that can be published by PUT. `notes` names the parts of the resource that a ' +
    'definition cannot express. Nothing is written. A resource that this service exported is converted back ' +
    'completely. Its scores and flags are in an extension, because FHIR has no element for them.' +
    ' Together: the result keeps the rules of publishing.',
  applications: administered,
  auth: administerQuestionnaires,
  body: z.object({ resource: z.record(z.string(), z.unknown()) }),
  response: z.object({
    questionnaireId: z.nullable(Id),
    version: z.nullable(Id),
    definition: ImportedQuestionnaire,
    notes: z.array(z.string()),
  }),
  errors: [ValidationFailed],
});

const ofBundle = z.object({ bundleId: pathId(QuestionnaireBundleNotFound) });

export const listQuestionnaireBundles = route({
  method: 'GET',
  path: '/admin/questionnaires/bundles',
  summary: 'The bundles: which questionnaires are answered when',
  applications: administered,
  auth: administerQuestionnaires,
  uses: [read(Questionnaires)],
  cursor: 'bundleId',
  items: QuestionnaireBundle,
  errors: [],
});

export const readQuestionnaireBundle = route({
  method: 'GET',
  path: '/admin/questionnaires/bundles/{bundleId}',
  summary: 'A bundle of questionnaires',
  applications: administered,
  auth: administerQuestionnaires,
  uses: [read(Questionnaires)],
  params: ofBundle,
  etag: true,
  response: QuestionnaireBundle,
  errors: [QuestionnaireBundleNotFound],
});

export const putQuestionnaireBundle = route({
  method: 'PUT',
  path: '/admin/questionnaires/bundles/{bundleId}',
  summary: 'Replaces a bundle of questionnaires',
  description:
    'Send the whole bundle, with `If-Match` and the `ETag` that was read; for the first one, with `If-None-Match: ' +
    '*`. Its questionnaires must be published. A window is identified by its `windowId`. With a new `windowId` ' +
    'it is a new window: patients that answered the old one are asked again. With the anchor `window` (a sleep ' +
    'window) the bundle has no programme and no `windows`: it is due every `everyDays` days after the first evening ' +
    'of the present run of sleep windows, each time for `openDays` days, and it ends with the run.' +
    ' Together: there are `windows` exactly where there is a programme; `toDay` is not before `fromDay`, no windows overlap, and each `windowId` is there once; with the anchor `window`, `openDays` is not more than `everyDays`, and without it both are left out.',
  applications: administered,
  auth: administerQuestionnaires,
  uses: changes,
  params: z.object({ bundleId: Id }),
  headers: z.object({ 'if-match': z.optional(z.string()), 'if-none-match': z.optional(z.string()) }),
  body: QuestionnaireBundleContent,
  etag: true,
  response: QuestionnaireBundle,
  errors: [ValidationFailed, PreconditionFailed, PreconditionRequired],
});
