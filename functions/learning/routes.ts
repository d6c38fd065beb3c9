import * as z from 'zod/mini';
import { readFrom } from '../../lib/contract/bucket-uses.ts';
import { ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, Instant, notTiny, pathId, WantedLocale } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, get, joined, read } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { factUses } from '../sleep/uses.ts';
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
  Programme,
  WrittenUnitProgress,
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
  summary: "The courses, with the caller's progress and the next units to be unlocked",
  applications: ['sleepcare'],
  auth: readOwnLearning,
  uses: facts,
  cursor: 'courseId',
  items: LearningCourseSummary,
  errors: [],
});

export const readCourse = route({
  method: 'GET',
  path: '/learning/courses/{courseId}',
  summary: "A course: its modules and units, the caller's progress, and the next units to be unlocked",
  description:
    "`locale` chooses the language of the packages; without it, the profile's language or else the course's " +
    'language is used. A module has a `package` as soon as its units are locked only by units of the same module; ' +
    "the app then follows the order in the package's `module.json`. URLs are valid for 15 minutes and need no " +
    'token.',
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
  summary: 'A unit: URLs of its text, media and subtitles, or its questions',
  description:
    'URLs are valid for 15 minutes and need no token. `locale` chooses the language of the files; without it, the ' +
    "profile's language or else the course's language is used. After a quiz is completed, `result` has the right " +
    'answers.',
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
    'The greater `position` and the greater `percent` are kept; `outcome` is `superseded` if a greater one was stored. So the order in which several phones send does ' +
    'not matter, and a repeated request writes nothing. `recordedAt` is when the patient was at this position: a ' +
    'late request is accepted if the unit was unlocked at that time. `position` is in seconds; for a text it is ' +
    "in a unit of the app's choice.",
  applications: ['sleepcare'],
  auth: writeOwnLearning,
  uses: changed,
  params: ofUnit,
  body: z.object({
    position: z.number().check(z.gte(0), z.lte(1_000_000), notTiny),
    percent: z.int().check(z.gte(0), z.lte(100)),
    recordedAt,
  }),
  response: WrittenUnitProgress,
  errors: [UnitNotFound, UnitLocked],
});

export const completeUnit = route({
  method: 'POST',
  path: '/learning/units/{unitId}/complete',
  summary: 'Completes a unit, once',
  description:
    'A repeated request gets the same answer; for a quiz, the first answers count, and `outcome` of others is `superseded`. A quiz needs an answer to each ' +
    'of its questions: 400 names each question that is unknown or not answered. A quiz is completed with any ' +
    'score. `completedAt` is `recordedAt` if the request has it and it is not in the future; if several phones ' +
    'complete the unit, the earliest time counts. `version` is the version that the app has, from `module.json` ' +
    'or the unit: the rules and questions of this version apply. Without it those of the current version apply.' +
    ' Together: `version` is a version of the course, and `answers` are to its questions, each once, with their options.',
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
  summary: "The caller's progress in each course",
  description:
    'All units of each course that the caller has begun, including units of earlier versions. It needs no ' +
    'entitlement: the caller can always read their own progress.',
  applications: ['sleepcare'],
  auth: readOwnLearning,
  uses: [read(LearningProgress)],
  cursor: 'courseId',
  items: LearningCourseProgress,
  errors: [],
});

export const readProgramme = route({
  method: 'GET',
  path: '/users/me/programme',
  summary: "The caller's tasks of today",
  description:
    "For the app's home screen: the programmes that the caller's entitlements unlock, whether the diary of this " +
    'morning is missing, what is to do for the sleep window, which questionnaires are due, and the next unit of each ' +
    'course. Dates are in the patient’s time zone. The texts about the window are in German or English, by ' +
    '`Accept-Language` or else the profile.',
  applications: ['sleepcare'],
  auth: readOwnLearning,
  uses: joined([batch(Users), batch(LearningProgress), batch(Courses), get(Courses), read(Questionnaires)], factUses),
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  response: Programme,
  errors: [],
});
