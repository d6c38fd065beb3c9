import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const title = { en: 'Sleep better: the basics', de: 'Besser schlafen: die Grundlagen' };
const description = {
  en: 'How sleep works, why it can go wrong for months, and what helps. Two modules of about fifteen minutes each; the second opens after a week.',
  de: 'Wie Schlaf funktioniert, warum er über Monate gestört sein kann und was hilft. Zwei Module von je etwa einer Viertelstunde; das zweite öffnet sich nach einer Woche.',
};

const afterUnit = (unitId: string) => ({ kind: 'unit' as const, unitId, day: null, date: null, questionnaireId: null });
const afterAWeek = { kind: 'day' as const, unitId: null, day: 7, date: '2026-11-29', questionnaireId: null };

const lockedBy = [afterUnit('sleep-basics.two-drives')];

const summary = {
  courseId: 'sleep-basics',
  version: '1.2',
  title,
  description,
  requiresEntitlement: true,
  unitsTotal: 8,
  unitsCompleted: 1,
  nextUnitId: 'sleep-basics.two-drives',
  unlocksNext: { unitId: 'sleep-basics.vicious-circle', lockedBy },
};

const file = {
  url: 'https://course-files.s3.eu-central-1.amazonaws.com/5f…?X-Amz-Expires=900&X-Amz-Signature=…',
  expiresAt: '2026-11-22T07:29:02.310Z',
  contentType: 'text/markdown; charset=utf-8',
  sizeBytes: 1840,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const progress = {
  unitId: 'sleep-basics.what-sleep-does',
  courseId: 'sleep-basics',
  position: 240,
  percent: 60,
  completedAt: null,
  quiz: null,
  updatedAt: '2026-11-22T07:14:02.310Z',
};

const completed = { ...progress, percent: 100, completedAt: '2026-11-22T07:14:02.310Z' };

const unit = {
  unitId: 'sleep-basics.what-sleep-does',
  type: 'text' as const,
  title: { en: 'What a night really looks like', de: 'Wie eine Nacht wirklich aussieht' },
  minutes: 4,
};

const notBegun = { percent: 0, completedAt: null };

export const reference: ReferenceTo<typeof routes> = {
  about: 'Courses of a therapy: what is unlocked, the progress (also on two phones), and the tasks of today.',
  examples: {
    putUnitProgress: {
      params: { unitId: 'sleep-basics.what-sleep-does' },
      body: { position: 240, percent: 60 },
      answer: { ...progress, outcome: 'stored' },
    },
    readUnit: {
      params: { unitId: 'sleep-basics.what-sleep-does' },
      query: { locale: 'en' },
      answer: {
        ...unit,
        courseId: 'sleep-basics',
        moduleId: 'understanding',
        version: '1.2',
        locale: 'en',
        programmeId: null,
        text: file,
        media: null,
        subtitles: null,
        questions: [],
        result: null,
        progress,
      },
    },
    completeUnit: {
      params: { unitId: 'sleep-basics.what-sleep-does' },
      body: { version: '1.2' },
      answer: { progress: completed, result: null, outcome: 'stored' },
    },
    listCourses: {
      query: { limit: 20 },
      answer: { items: [summary], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } },
    },
    readCourse: {
      params: { courseId: 'sleep-basics' },
      query: { locale: 'en' },
      answer: {
        ...summary,
        locale: 'en',
        modules: [
          {
            moduleId: 'understanding',
            title: { en: 'Understanding sleep', de: 'Schlaf verstehen' },
            isUnlocked: true,
            lockedBy: [],
            package: { ...file, contentType: 'application/zip' },
            units: [
              {
                unitId: 'sleep-basics.what-sleep-does',
                type: 'text',
                title: { en: 'What a night really looks like', de: 'Wie eine Nacht wirklich aussieht' },
                minutes: 4,
                isUnlocked: true,
                lockedBy: [],
                percent: 100,
                completedAt: '2026-11-22T07:14:02.310Z',
              },
              {
                unitId: 'sleep-basics.two-drives',
                type: 'text',
                title: { en: 'What makes us sleepy', de: 'Was uns müde macht' },
                minutes: 3,
                isUnlocked: true,
                lockedBy: [],
                ...notBegun,
              },
              {
                unitId: 'sleep-basics.vicious-circle',
                type: 'text',
                title: {
                  en: 'How a bad week becomes a bad year',
                  de: 'Wie aus einer schlechten Woche ein schlechtes Jahr wird',
                },
                minutes: 4,
                isUnlocked: false,
                lockedBy: [afterUnit('sleep-basics.two-drives')],
                ...notBegun,
              },
              {
                unitId: 'sleep-basics.check',
                type: 'quiz',
                title: { en: 'What do you remember?', de: 'Was ist hängen geblieben?' },
                minutes: 3,
                isUnlocked: false,
                lockedBy: [afterUnit('sleep-basics.vicious-circle')],
                ...notBegun,
              },
            ],
          },
          {
            moduleId: 'changing',
            title: { en: 'Changing sleep', de: 'Schlaf verändern' },
            isUnlocked: false,
            lockedBy: [afterUnit('sleep-basics.check'), afterAWeek],
            package: null,
            units: [
              {
                unitId: 'sleep-basics.bed-means-sleep',
                type: 'text',
                title: { en: 'Bed means sleep', de: 'Das Bett heißt Schlaf' },
                minutes: 4,
                isUnlocked: false,
                lockedBy: [afterUnit('sleep-basics.check'), afterAWeek],
                ...notBegun,
              },
              {
                unitId: 'sleep-basics.less-time-in-bed',
                type: 'text',
                title: { en: 'Less time in bed, more sleep', de: 'Weniger Zeit im Bett, mehr Schlaf' },
                minutes: 4,
                isUnlocked: false,
                lockedBy: [afterUnit('sleep-basics.check'), afterAWeek, afterUnit('sleep-basics.bed-means-sleep')],
                ...notBegun,
              },
              {
                unitId: 'sleep-basics.evening-and-day',
                type: 'text',
                title: { en: 'What helps during the day and in the evening', de: 'Was am Tag und am Abend hilft' },
                minutes: 4,
                isUnlocked: false,
                lockedBy: [afterUnit('sleep-basics.check'), afterAWeek, afterUnit('sleep-basics.bed-means-sleep')],
                ...notBegun,
              },
              {
                unitId: 'sleep-basics.thoughts-at-night',
                type: 'text',
                title: { en: 'When thoughts will not stop', de: 'Wenn die Gedanken nicht aufhören' },
                minutes: 4,
                isUnlocked: false,
                lockedBy: [
                  afterUnit('sleep-basics.check'),
                  afterAWeek,
                  afterUnit('sleep-basics.less-time-in-bed'),
                  afterUnit('sleep-basics.evening-and-day'),
                ],
                ...notBegun,
              },
            ],
          },
        ],
      },
    },
    listLearningProgress: {
      query: { limit: 20 },
      answer: {
        items: [{ courseId: 'sleep-basics', units: [completed], updatedAt: completed.updatedAt }],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    readProgramme: {
      answer: {
        date: '2026-11-22',
        programmes: [
          {
            entitlementId: '019ab1c2-7f00-7000-8000-0123456789ab',
            programmeId: 'insomnia-basic',
            startsAt: '2026-11-22T07:00:00.000Z',
            endsAt: '2027-02-20T07:00:00.000Z',
            day: 0,
            courseIds: ['sleep-basics'],
          },
        ],
        ...{ diary: { date: '2026-11-22', status: 'missing' as const }, window: null },
        questionnaires: [
          {
            occurrenceId: '3f0c5d1b-2a4e-8f70-9192-a3b4c5d6e7f8',
            bundleId: 'every-evening',
            title: { en: 'Every evening' },
            status: 'due',
            until: '2026-11-23',
            questionnaireIds: ['evening-check'],
          },
          {
            occurrenceId: '7a1d2c3b-4e5f-8a6b-8c7d-9e0f1a2b3c4d',
            bundleId: 'sleep-start',
            title: { en: 'Questionnaires at the start', de: 'Fragebögen zu Beginn' },
            status: 'due',
            until: '2026-11-29',
            questionnaireIds: ['phq-9', 'gad-7', 'isi', 'ess'],
          },
        ],
        units: [
          {
            unitId: 'sleep-basics.two-drives',
            courseId: 'sleep-basics',
            type: 'text',
            title: { en: 'What makes us sleepy', de: 'Was uns müde macht' },
            minutes: 3,
            percent: 0,
          },
        ],
      },
    },
  },
};
