import { describe, expect, test } from 'vitest';
import { fhirResponse } from '../../functions/questionnaire-responses/rules/fhir-response.ts';
import { completed, draftOf } from '../../functions/questionnaire-responses/rules/response.ts';
import { fhirQuestionnaire } from '../../functions/questionnaires/rules/fhir-questionnaire.ts';
import { officialValidator } from '../fhir/official.ts';
import { answersTo, definitions } from '../questionnaires/every-item.ts';
import { instrument } from '../questionnaires/instruments.ts';

/** What goes out as FHIR R4, against HL7's own definitions of it. */

const validate = await officialValidator('Questionnaire', 'QuestionnaireResponse');

const publishedAt = '2026-01-01T00:00:00.000Z';

describe.each(definitions.map((definition) => [definition.questionnaireId, definition] as const))(
  '%s',
  (_, definition) => {
    test('is a Questionnaire', () => {
      expect(() => validate(fhirQuestionnaire({ ...definition, publishedAt }))).not.toThrow();
    });

    test('its responses are QuestionnaireResponses: a draft, an empty one, one completed, a correction', () => {
      const { questionnaireId, version } = definition;
      const frame = {
        responseId: 'r1',
        questionnaireId,
        bundleId: null,
        occurrenceId: null,
        entitlementId: null,
        window: null,
      };
      const draft = draftOf(frame, { version, answers: answersTo(definition) });
      const done = completed(draft, definition, new Date(publishedAt));
      for (const response of [draft, { ...draft, answers: [] }, done, { ...done, amends: 'r0' }]) {
        expect(() => validate(fhirResponse({ ...response, recordedAt: publishedAt }, definition, 'u1'))).not.toThrow();
      }
    });
  },
);

describe('the definitions refuse', () => {
  const exported = fhirQuestionnaire({ ...instrument('phq-9'), publishedAt });
  test.each([
    ['no status', { ...exported, status: undefined }],
    ['another type', { ...exported, date: 5 }],
    ['an unknown element', { ...exported, colour: 'red' }],
    ['an item without a type', { ...exported, item: [{ linkId: 'a' }] }],
  ])('%s', (_case, resource) => {
    expect(() => validate(resource)).toThrow();
  });
});
