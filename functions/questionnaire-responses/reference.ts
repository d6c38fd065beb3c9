import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const answers = Array.from({ length: 9 }, (_, index) => ({ linkId: `phq9-${index + 1}`, choice: '1' }));

const draft = {
  responseId: 'a7c1e0f2',
  questionnaireId: 'phq-9',
  version: '1.1',
  bundleId: null,
  occurrenceId: null,
  status: 'draft' as const,
  answers,
  scores: null,
  flags: [],
  completedAt: null,
  amends: null,
  amendedBy: null,
  recordedAt: '2026-11-22T06:40:00.000Z',
  updatedAt: '2026-11-22T07:13:57.621Z',
  replacedAt: null,
};

const scores = (value: number, bandId: string) => [
  { scoreId: 'total', value, bandId, missing: 0, rule: 'phq-9/1.1/1' },
];

/** The patient's place is not known. */
const crisisHelp = {
  country: '001',
  notice:
    'Nobody reads your answers in real time. If you think of harming yourself, or are in a crisis, please call the ' +
    'emergency number of the place where you are right away, or a helpline:',
  draftNotice: null,
  contacts: [
    {
      name: 'Helplines of your country (findahelpline.com)',
      ...{ channel: 'web', phone: null, url: 'https://findahelpline.com', hours: 'day and night', alwaysOpen: true },
      ...{ languages: ['en'], cost: 'free', checkedOn: '2026-11-25' },
      source:
        'https://lifeline-international.com/from-idea-to-impact-how-throughline-is-bridging-the-gap-in-global-crisis-support/',
    },
  ],
};

const draftHelp = { ...crisisHelp, draftNotice: 'Nobody sees this until you send it.' };

const completed = {
  ...draft,
  status: 'completed' as const,
  scores: scores(9, 'mild'),
  flags: ['self-harm'],
  completedAt: '2026-11-22T07:14:02.310Z',
  updatedAt: '2026-11-22T07:14:02.310Z',
};

const corrected = {
  ...completed,
  responseId: 'b8d2f103',
  answers: answers.with(0, { linkId: 'phq9-1', choice: '2' }),
  scores: scores(10, 'moderate'),
  amends: 'a7c1e0f2',
  recordedAt: '2026-11-22T07:15:00.000Z',
};

const flag = {
  flagId: '4e8b1c52-7a90-8c3d-9e21-0f6b5a4d3c2b',
  code: 'self-harm',
  userId: '95f807be-bb56-4119-899f-ee487ecfa121',
  responseId: 'a7c1e0f2',
  questionnaireId: 'phq-9',
  raisedAt: '2026-11-22T07:14:02.310Z',
  recordedAt: '2026-11-22T06:40:00.000Z',
  receivedAt: '2026-11-22T07:13:57.621Z',
  acknowledgedAt: null,
  acknowledgedBy: null,
  outcome: null,
  endedAt: null,
  endedBy: null,
};

const ended = {
  ...flag,
  acknowledgedAt: '2026-11-22T07:20:11.004Z',
  acknowledgedBy: '37220927-b3cb-4528-8d0a-2a0fd0aac537',
  outcome: 'cleared' as const,
  endedAt: '2026-11-22T08:02:40.512Z',
  endedBy: '37220927-b3cb-4528-8d0a-2a0fd0aac537',
};

export const reference: ReferenceTo<typeof routes> = {
  about:
    "A patient's answers to questionnaires: what is due, drafts, scores, corrections, and what a person must look at.",
  examples: {
    putQuestionnaireResponse: {
      params: { responseId: 'a7c1e0f2' },
      body: { questionnaireId: 'phq-9', version: '1.1', answers, recordedAt: '2026-11-22T06:40:00.000Z' },
      answer: { ...draft, crisisHelp: draftHelp, outcome: 'stored' },
    },
    readQuestionnaireResponse: {
      params: { responseId: 'a7c1e0f2' },
      answer: { ...draft, crisisHelp: draftHelp },
    },
    completeQuestionnaireResponse: {
      params: { responseId: 'a7c1e0f2' },
      body: {},
      answer: { ...completed, crisisHelp, outcome: 'stored' },
    },
    amendQuestionnaireResponse: {
      params: { responseId: 'a7c1e0f2' },
      body: { responseId: 'b8d2f103', answers: corrected.answers },
      answer: { ...corrected, crisisHelp, outcome: 'stored' },
    },
    listQuestionnaireResponses: {
      query: { questionnaireId: 'phq-9', limit: 20 },
      answer: {
        items: [corrected, { ...completed, amendedBy: 'b8d2f103' }],
        metadata: { limit: 20, count: 2, hasMore: false, nextCursor: null },
      },
    },
    listQuestionnaireScores: {
      query: { questionnaireId: 'phq-9', limit: 20 },
      answer: {
        items: [
          {
            responseId: 'b8d2f103',
            questionnaireId: 'phq-9',
            scoreId: 'total',
            value: corrected.scores?.[0]?.value ?? null,
            bandId: corrected.scores?.[0]?.bandId ?? null,
            completedAt: completed.completedAt,
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    listPatientResponses: {
      params: { userId: '95f807be-bb56-4119-899f-ee487ecfa121' },
      query: { questionnaireId: 'phq-9', limit: 20 },
      answer: {
        items: [corrected, { ...completed, amendedBy: 'b8d2f103' }],
        metadata: { limit: 20, count: 2, hasMore: false, nextCursor: null },
      },
    },
    deleteQuestionnaireResponse: {
      params: { responseId: 'c9e3a214' },
      query: { recordedAt: '2026-11-22T07:16:00.000Z' },
      answer: { responseId: 'c9e3a214', isDeleted: true, recordedAt: '2026-11-22T07:16:00.000Z', outcome: 'stored' },
    },
    listDueBundles: {
      query: { limit: 20 },
      answer: {
        items: [
          {
            occurrenceId: '3f0c5d1b-2a4e-8f70-9192-a3b4c5d6e7f8',
            bundleId: 'well-being',
            title: { en: 'Well-being', de: 'Wohlbefinden' },
            entitlementId: null,
            window: null,
            status: 'due',
            questionnaires: [{ questionnaireId: 'who-5', version: '1.0', status: 'due', responseId: null }],
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    listFlags: {
      query: { limit: 20 },
      answer: { items: [flag], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } },
    },
    endFlag: {
      params: { flagId: '4e8b1c52-7a90-8c3d-9e21-0f6b5a4d3c2b' },
      body: { outcome: 'cleared' },
      answer: ended,
    },
    listFlagsOfPatient: {
      params: { userId: '95f807be-bb56-4119-899f-ee487ecfa121' },
      query: { limit: 20 },
      answer: { items: [ended], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } },
    },
    endFlagOfPatient: {
      params: { userId: '95f807be-bb56-4119-899f-ee487ecfa121', flagId: '4e8b1c52-7a90-8c3d-9e21-0f6b5a4d3c2b' },
      body: { outcome: 'cleared' },
      answer: ended,
    },
    acknowledgeFlag: {
      params: { flagId: '4e8b1c52-7a90-8c3d-9e21-0f6b5a4d3c2b' },
      answer: {
        ...flag,
        acknowledgedAt: '2026-11-22T07:20:11.004Z',
        acknowledgedBy: '37220927-b3cb-4528-8d0a-2a0fd0aac537',
      },
    },
  },
};
