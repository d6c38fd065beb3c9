import * as z from 'zod/mini';
import { readFrom } from '../../lib/contract/bucket-uses.ts';
import { ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, Instant, notTiny, pathId, WantedLocale } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, get, read } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { SleepEntries } from '../sleep/tables.ts';
import { Users } from '../users/tables.ts';
import { CourseFiles } from './buckets.ts';
import { CourseNotFound, UnitLocked, UnitNotFound } from './errors.ts';
import { readOwnLearning, writeOwnLearning } from './permissions.ts';
import {
  CompletedLearningUnit,
  LearningAnswer,
  LearningCourse,
  LearningCourseProgress,
  LearningCourseSummary,
  LearningUnit,
  LearningUnitProgress,
  Programme,
} from './schemas.ts';
import { Courses, LearningProgress } from './tables.ts';

/** What decides on what is unlocked. */
const facts = [
  read(Courses),
  read(LearningProgress),
  get(Users),
  read(Entitlements),
  read(QuestionnaireResponses),
] as const;

const inLanguage = z.object({ locale: z.optional(WantedLocale) });
const ofUnit = z.object({ unitId: pathId(UnitNotFound) });

export const listCourses = route({
  method: 'GET',
  path: '/learning/courses',
  summary: "The courses, with the caller's progress and what unlocks next",
  applications: ['sleepcare'],
  auth: readOwnLearning,
  uses: facts,
  items: LearningCourseSummary,
  errors: [],
});

export const readCourse = route({
  method: 'GET',
  path: '/learning/courses/{courseId}',
  summary: "A course: its modules and units, the caller's progress, and what unlocks next",
  description:
    '`locale` chooses the language of the packages; else it is that of the profile, else that of the course. A module has ' +
    'its `package` once nothing locks its units but units of the same module, whose order the app then keeps by ' +
    '`module.json` of the package. Addresses live for 15 minutes and need no token.',
  applications: ['sleepcare'],
  auth: readOwnLearning,
  uses: [
    read(Courses),
    read(LearningProgress),
    get(Users),
    read(Entitlements),
    read(QuestionnaireResponses),
    readFrom(CourseFiles),
  ],
  params: z.object({ courseId: pathId(CourseNotFound) }),
  query: inLanguage,
  response: LearningCourse,
  errors: [CourseNotFound],
});

export const readUnit = route({
  method: 'GET',
  path: '/learning/units/{unitId}',
  summary: 'A unit: its text, media and subtitles by address, or its questions',
  description:
    'Addresses live for 15 minutes and need no token. `locale` chooses the language of the files; else it is that of the ' +
    'profile, else that of the course. Of a quiz the right answers are in `result`, once it is completed.',
  applications: ['sleepcare'],
  auth: readOwnLearning,
  uses: [
    read(Courses),
    read(LearningProgress),
    get(Users),
    read(Entitlements),
    read(QuestionnaireResponses),
    readFrom(CourseFiles),
  ],
  params: ofUnit,
  query: inLanguage,
  response: LearningUnit,
  errors: [UnitNotFound, UnitLocked],
});

const recordedAt = z.optional(Instant);

const changed = [
  read(Courses),
  read(LearningProgress),
  append(LearningProgress),
  get(Users),
  read(Entitlements),
  read(QuestionnaireResponses),
] as const;

export const putUnitProgress = route({
  method: 'PUT',
  path: '/learning/units/{unitId}/progress',
  summary: "Records the caller's progress in a unit",
  description:
    'Merged with what is there by the greater `position` and the greater `percent`, so that the order in which phones arrive ' +
    'changes nothing, and the same request again writes nothing. `recordedAt` is when the patient was there: what was unlocked then ' +
    'is taken late. `position` is in seconds, or whatever the app counts a text by.',
  applications: ['sleepcare'],
  auth: writeOwnLearning,
  uses: changed,
  params: ofUnit,
  body: z.object({
    position: z.number().check(z.gte(0), z.lte(1_000_000), notTiny),
    percent: z.int().check(z.gte(0), z.lte(100)),
    recordedAt,
  }),
  response: LearningUnitProgress,
  errors: [UnitNotFound, UnitLocked],
});

export const completeUnit = route({
  method: 'POST',
  path: '/learning/units/{unitId}/complete',
  summary: 'Completes a unit, once',
  description:
    'Again it is the same answer: of a quiz the answers that came first count. A quiz takes an answer to each of its questions, ' +
    'of which unknown or missing ones are 400, each named. Its score changes no progress: it is completed whatever the score. ' +
    '`completedAt` is `recordedAt`, where that is given and not in the future; of several phones the earliest. `version` is the one ' +
    'that the app has, from `module.json` or the unit: its rules and questions count. Without it the current one does.',
  applications: ['sleepcare'],
  auth: writeOwnLearning,
  uses: changed,
  params: ofUnit,
  body: z.optional(
    z.object({
      answers: z.optional(z.array(LearningAnswer).check(z.maxLength(50))),
      version: z.optional(Id),
      recordedAt,
    }),
  ),
  response: CompletedLearningUnit,
  errors: [ValidationFailed, UnitNotFound, UnitLocked],
});

export const listLearningProgress = route({
  method: 'GET',
  path: '/learning/progress',
  summary: "The caller's progress, course by course",
  description:
    'Of each course all units that were begun, also those of its earlier versions. It needs no entitlement: what somebody ' +
    'learnt stays theirs to read.',
  applications: ['sleepcare'],
  auth: readOwnLearning,
  uses: [read(LearningProgress)],
  items: LearningCourseProgress,
  errors: [],
});

export const readProgramme = route({
  method: 'GET',
  path: '/users/me/programme',
  summary: "The caller's tasks of today",
  description:
    "For the app's home screen: the programmes that the caller's entitlements unlock, whether the diary of this morning is " +
    'missing, which questionnaires are due, and of each course the next unit. Dates are the patient’s own.',
  applications: ['sleepcare'],
  auth: readOwnLearning,
  uses: [
    batch(Users),
    batch(LearningProgress),
    batch(Courses),
    get(Courses),
    read(Entitlements),
    read(Questionnaires),
    read(QuestionnaireResponses),
    read(SleepEntries),
  ],
  response: Programme,
  errors: [],
});
