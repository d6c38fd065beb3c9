import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const title = { en: 'Sleep better: the basics', de: 'Besser schlafen: die Grundlagen' };
const description = {
  en: 'How sleep works, why it can go wrong for months, and what helps. Two modules of about fifteen minutes each; the second opens after a week.',
  de: 'Wie Schlaf funktioniert, warum er über Monate gestört sein kann und was hilft. Zwei Module von je etwa einer Viertelstunde; das zweite öffnet sich nach einer Woche.',
};

const lockedBy = [
  { kind: 'unit' as const, unitId: 'sleep-basics.two-drives', day: null, date: null, questionnaireId: null },
];

const summary = {
  courseId: 'sleep-basics',
  version: '1.1',
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

export const reference: ReferenceTo<typeof routes> = {
  about: 'Courses of a therapy: what is unlocked, how far one is, also on two phones, and what is to do today.',
  examples: {
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
            units: [{ ...unit, isUnlocked: true, lockedBy: [], percent: 100, completedAt: '2026-11-22T07:14:02.310Z' }],
          },
        ],
      },
    },
    readUnit: {
      params: { unitId: 'sleep-basics.what-sleep-does' },
      query: { locale: 'en' },
      answer: {
        ...unit,
        courseId: 'sleep-basics',
        moduleId: 'understanding',
        version: '1.1',
        locale: 'en',
        text: file,
        media: null,
        subtitles: null,
        questions: [],
        result: null,
        progress,
      },
    },
    putUnitProgress: {
      params: { unitId: 'sleep-basics.what-sleep-does' },
      body: { position: 240, percent: 60, recordedAt: '2026-11-22T07:14:00.000Z' },
      answer: progress,
    },
    completeUnit: {
      params: { unitId: 'sleep-basics.what-sleep-does' },
      body: { version: '1.1', recordedAt: '2026-11-22T07:14:02.310Z' },
      answer: { progress: completed, result: null },
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
            startsAt: '2026-11-20T08:00:00.000Z',
            endsAt: '2027-02-18T08:00:00.000Z',
            day: 2,
            courseIds: ['sleep-basics'],
          },
        ],
        diary: { date: '2026-11-22', status: 'missing' },
        questionnaires: [
          {
            occurrenceId: '3f0c5d1b-2a4e-8f70-9192-a3b4c5d6e7f8',
            bundleId: 'sleep-start',
            title: { en: 'Questionnaires at the start and after six weeks' },
            status: 'in-progress',
            until: '2026-11-27',
            questionnaireIds: ['gad-7', 'isi'],
          },
        ],
        units: [{ ...unit, courseId: 'sleep-basics', percent: 60 }],
      },
    },
  },
};
