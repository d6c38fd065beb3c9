import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const definition = {
  defaultLocale: 'en',
  title: { en: 'Evening check' },
  items: [
    {
      linkId: 'rested',
      type: 'choice' as const,
      text: { en: 'How rested are you?' },
      required: true,
      options: [
        { value: 'not', text: { en: 'Not at all' }, score: 0 },
        { value: 'well', text: { en: 'Well' }, score: 1 },
      ],
    },
    { linkId: 'nap', type: 'integer' as const, text: { en: 'Minutes of naps today' }, min: 0, max: 600 },
  ],
  scores: [
    {
      scoreId: 'total',
      label: { en: 'Rest' },
      kind: 'sum' as const,
      of: [{ item: 'rested' }],
      bands: [
        { bandId: 'low', from: 0, to: 0, label: { en: 'low' } },
        { bandId: 'good', from: 1, to: 1, label: { en: 'good' } },
      ],
    },
  ],
  flags: [],
};

const published = {
  questionnaireId: 'evening-check',
  version: '1.0',
  publishedAt: '2026-11-22T07:13:50.626Z',
  ...definition,
  crisisHelp: null,
};

const bundle = {
  title: { en: 'Every evening' },
  questionnaireIds: ['evening-check'],
  programmeId: 'insomnia-basic',
  windows: [{ windowId: 'first-day', fromDay: 0, toDay: 1 }],
};

const result = { scoreId: 'total', value: 1, bandId: 'good', missing: 0, rule: 'draft/draft/1' };

export const reference: ReferenceTo<typeof routes> = {
  about: 'Questionnaires as they are published: what is asked, how it is scored, when, and what a person must look at.',
  examples: {
    simulateQuestionnaire: {
      body: { definition, answers: [{ linkId: 'rested', choice: 'well' }] },
      answer: {
        isComplete: true,
        missing: [],
        impossible: [],
        enabled: ['rested', 'nap'],
        scores: [result],
        flags: [],
      },
    },
    publishQuestionnaire: {
      params: { questionnaireId: 'evening-check', version: '1.0' },
      body: definition,
      answer: published,
    },
    readQuestionnaire: {
      params: { questionnaireId: 'evening-check' },
      query: { version: '1.0' },
      answer: published,
    },
    listQuestionnaires: {
      query: { limit: 1 },
      answer: {
        items: [
          {
            questionnaireId: 'ess',
            version: '1.0',
            title: { en: 'ESS', de: 'ESS' },
            publishedAt: '2026-01-01T00:00:00.000Z',
          },
        ],
        metadata: { limit: 1, count: 1, hasMore: true, nextCursor: 'eyJuIjoiZXNzIn0.5wZ0wVxk3vD0' },
      },
    },
    importQuestionnaire: {
      body: {
        resource: {
          resourceType: 'Questionnaire',
          id: 'naps',
          status: 'active',
          title: 'Naps',
          item: [{ linkId: 'nap', type: 'integer', text: 'Minutes of naps today' }],
        },
      },
      answer: {
        questionnaireId: 'naps',
        version: null,
        definition: {
          defaultLocale: 'en',
          title: { en: 'Naps' },
          items: [{ linkId: 'nap', type: 'integer', text: { en: 'Minutes of naps today' } }],
          scores: [],
          flags: [],
        },
        notes: ['no scores and no flags: FHIR R4 has no element for them'],
      },
    },
    putQuestionnaireBundle: {
      params: { bundleId: 'every-evening' },
      headers: { 'if-none-match': '*' },
      body: bundle,
      answer: { bundleId: 'every-evening', ...bundle },
    },
    readQuestionnaireBundle: {
      params: { bundleId: 'every-evening' },
      answer: { bundleId: 'every-evening', ...bundle },
    },
    listQuestionnaireBundles: {
      query: { limit: 1 },
      answer: {
        items: [{ bundleId: 'every-evening', ...bundle }],
        metadata: { limit: 1, count: 1, hasMore: true, nextCursor: 'eyJuIjoiZXZlIn0.9dQ0rWvk3aX1' },
      },
    },
  },
};
