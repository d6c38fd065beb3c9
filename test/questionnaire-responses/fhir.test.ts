import { describe, expect, test } from 'vitest';
import { answersOf, fhirResponse } from '../../functions/questionnaire-responses/rules/fhir-response.ts';
import { completed, draftOf } from '../../functions/questionnaire-responses/rules/response.ts';
import { importedOf } from '../../functions/questionnaires/rules/fhir-import.ts';
import { fhirQuestionnaire } from '../../functions/questionnaires/rules/fhir-questionnaire.ts';
import { readImported } from '../../functions/questionnaires/stores/imported-definition.ts';
import { prefers } from '../../lib/runtime/accept.ts';
import { call, client } from '../api.ts';
import { answersTo, definitions } from '../questionnaires/every-item.ts';

/** What goes out as FHIR comes back whole; fhir.slow.test.ts holds it against HL7's definitions. */

const publishedAt = '2026-01-01T00:00:00.000Z';

describe.each(definitions.map((definition) => [definition.questionnaireId, definition] as const))(
  '%s',
  (_, definition) => {
    const { questionnaireId, version, ...content } = definition;

    test('comes back whole', () => {
      const exported = JSON.parse(JSON.stringify(fhirQuestionnaire({ ...definition, publishedAt })));
      expect(readImported(exported)).toEqual({
        issues: null,
        questionnaireId,
        version,
        definition: content,
        notes: [],
      });
    });

    test('its answers come back', () => {
      const frame = {
        responseId: 'r1',
        questionnaireId,
        bundleId: null,
        occurrenceId: null,
        entitlementId: null,
        window: null,
      };
      const draft = draftOf(frame, { version, answers: answersTo(definition) });
      for (const response of [draft, completed(draft, definition, new Date(publishedAt))]) {
        const exported = fhirResponse({ ...response, recordedAt: publishedAt }, definition, 'u1');
        expect(answersOf(JSON.parse(JSON.stringify(exported)))).toEqual(response.answers);
      }
    });
  },
);

test.each([
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', false],
  ['application/fhir+json', true],
  ['application/fhir+json; fhirVersion=4.0', true],
  ['application/json;q=0.5, application/fhir+json', true],
  ['application/fhir+json;q=0.5, application/json', false],
  ['application/fhir+json;q=0', false],
])('Accept: %s', (accept, isFhir) => {
  expect(prefers(accept, 'application/fhir+json')).toBe(isFhir);
});

describe('over HTTP', () => {
  const Accept = 'application/fhir+json';

  test('a definition and a response, each in the form that was asked for', async () => {
    const me = await client();
    const { userId } = (await me.get('/users/me')).body;
    await me.put('/questionnaires/responses/one', { body: { questionnaireId: 'phq-9', version: '1.0', answers: [] } });
    for (const [path, resourceType] of [
      ['/questionnaires/phq-9', 'Questionnaire'],
      ['/questionnaires/responses/one', 'QuestionnaireResponse'],
    ] as const) {
      const [plain, fhir] = [await me.get(path), await me.get(path, { headers: { Accept } })];
      expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(fhir.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
      expect([plain, fhir].map(({ headers }) => headers.get('vary'))).toEqual(['Accept', 'Accept']);
      expect([plain.body.resourceType, fhir.body.resourceType]).toEqual([undefined, resourceType]);
    }
    const { body, headers } = await me.get('/questionnaires/responses/one', { headers: { Accept } });
    expect([body.subject.reference, headers.get('etag')]).toEqual([`Patient/${userId}`, '"fhir-1"']);
  });

  test('an error is ours', async () => {
    const me = await client();
    const { headers, body } = await me.get('/questionnaires/none', { headers: { Accept } });
    expect([headers.get('content-type'), body.code]).toEqual([
      ...['application/json; charset=utf-8', 'QUESTIONNAIRE_NOT_FOUND'],
    ]);
    const { status } = await call('GET', '/questionnaires/phq-9', { headers: { Accept } });
    expect(status).toBe(401);
  });

  test('what was exported is imported', async () => {
    const admin = await client({ application: 'medinfo', roles: 'admin' });
    const { body: resource } = await admin.get('/questionnaires/psqi', { headers: { Accept } });
    const { status, body } = await admin.post('/questionnaires/imports', { body: { resource } });
    const { body: known } = await admin.get('/questionnaires/psqi');
    expect([status, body.questionnaireId, body.version, body.notes]).toEqual([200, 'psqi', '1.0', []]);
    expect(known).toMatchObject(body.definition);
    const refused = await admin.post('/questionnaires/imports', { body: { resource: { resourceType: 'Patient' } } });
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('of somebody else', () => {
  const foreign = {
    resourceType: 'Questionnaire',
    id: 'sleep',
    status: 'draft',
    title: 'Sleep',
    publisher: 'Somebody',
    item: [
      { linkId: '1', type: 'string', text: 'Name', initial: [{ valueString: 'x' }] },
      { linkId: '2', type: 'open-choice', text: 'How', answerOption: [{ valueString: 'good' }, { valueInteger: 3 }] },
    ],
  };

  test('is read, and what has no place is said', () => {
    expect(importedOf(foreign)).toMatchObject({
      questionnaireId: 'sleep',
      version: null,
      definition: { title: { en: 'Sleep' }, scores: [], flags: [] },
      notes: [
        'no scores and no flags: FHIR R4 has no element for them',
        'the Questionnaire: left out publisher',
        'item 1: left out initial',
        'item 1: string became text',
        'item 2: open-choice became choice',
      ],
    });
    expect(readImported(foreign).issues).toBeNull();
  });

  test.each([
    ['another resource', { resourceType: 'Patient' }],
    ['no items', { ...foreign, item: [] }],
    ['no title', { ...foreign, title: undefined }],
    ['a type that is not here', { ...foreign, item: [{ linkId: '1', type: 'attachment', text: 'x' }] }],
    [
      'a choice from elsewhere',
      { ...foreign, item: [{ linkId: '1', type: 'choice', text: 'x', answerValueSet: 'u' }] },
    ],
    ['items that are none', { ...foreign, item: ['x', 1, null] }],
    [
      'scores that are none',
      {
        ...foreign,
        extension: [
          {
            url: 'https://mobile-health.example/fhir/StructureDefinition/questionnaire-scoring',
            valueString: '{"scores":5}',
          },
        ],
      },
    ],
  ])('%s is refused', (_case, resource) => {
    expect(readImported(resource).issues).not.toBeNull();
  });

  test('one that nests without end does not exhaust the stack', () => {
    let item: object = { linkId: 'x', type: 'group', text: 'x' };
    for (let depth = 0; depth < 5000; depth += 1)
      item = { linkId: `g${depth}`, type: 'group', text: 'x', item: [item] };
    expect(readImported({ ...foreign, item: [item] }).issues).not.toBeNull();
  });
});
