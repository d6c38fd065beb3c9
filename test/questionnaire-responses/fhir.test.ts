import { describe, expect, test } from 'vitest';
import { fhirResponse } from '../../functions/questionnaire-responses/rules/fhir-response.ts';
import { draftOfFhir } from '../../functions/questionnaire-responses/rules/fhir-response-import.ts';
import { completed, draftOf } from '../../functions/questionnaire-responses/rules/response.ts';
import { importedOf } from '../../functions/questionnaires/rules/fhir-import.ts';
import { fhirQuestionnaire } from '../../functions/questionnaires/rules/fhir-questionnaire.ts';
import { readImported } from '../../functions/questionnaires/stores/imported-definition.ts';
import { prefers } from '../../lib/runtime/accept.ts';
import { call, client } from '../api.ts';
import { answersTo, definitions } from '../questionnaires/every-item.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** What goes out as FHIR comes back whole; fhir.slow.test.ts holds it against HL7's definitions. */

const publishedAt = '2026-01-01T00:00:00.000Z';

describe.each(definitions.map((definition) => [definition.questionnaireId, definition] as const))(
  '%s',
  (_, definition) => {
    const { questionnaireId, version, ...content } = definition;

    test('comes back complete', () => {
      const exported = JSON.parse(JSON.stringify(fhirQuestionnaire({ ...definition, publishedAt })));
      expect(readImported(exported)).toEqual({
        issues: null,
        questionnaireId,
        version,
        definition: content,
        notes: [],
      });
    });

    test('its responses come back as drafts', () => {
      const frame = {
        responseId: 'r1',
        questionnaireId,
        bundleId: 'sleep-start',
        occurrenceId: null,
        entitlementId: null,
        window: null,
      };
      const draft = draftOf(frame, { version, answers: answersTo(definition) });
      for (const response of [draft, completed(draft, definition, new Date(publishedAt))]) {
        const { bundleId, answers } = response;
        const exported = fhirResponse({ ...response, recordedAt: publishedAt }, definition, 'u1');
        expect(draftOfFhir(JSON.parse(JSON.stringify(exported)))).toEqual({
          body: { questionnaireId, version, bundleId, answers, recordedAt: publishedAt },
        });
      }
    });
  },
);

describe('a response from another system', () => {
  const questionnaire = 'https://mobile-health.example/fhir/Questionnaire/q|1';
  const response = { resourceType: 'QuestionnaireResponse', questionnaire, status: 'completed' };
  const answered = (...answer: object[]) => ({ ...response, item: [{ linkId: 'a', answer }] });
  const pathsOf = (resource: unknown) => {
    const read = draftOfFhir(resource);
    return 'issues' in read ? read.issues.map(({ path }) => path) : 'none';
  };

  test('may have its items within groups and answers, and no item at all', () => {
    const read = draftOfFhir({
      ...response,
      authored: '2026-11-22',
      item: [
        {
          linkId: 'g',
          item: [
            {
              linkId: 'a',
              answer: [{ valueTime: '22:30:00.000', item: [{ linkId: 'b', answer: [{ valueInteger: 3 }] }] }],
            },
          ],
        },
        { linkId: 'note' },
      ],
    });
    // A day says nothing of which phone wrote later.
    expect(read).toEqual({
      body: {
        questionnaireId: 'q',
        version: '1',
        answers: [
          { linkId: 'a', time: '22:30' },
          { linkId: 'b', integer: 3 },
        ],
      },
    });
    expect(draftOfFhir(response)).toMatchObject({ body: { answers: [] } });
  });

  test.each<[string, unknown, string[]]>([
    ['nothing', null, ['resourceType']],
    ['a list', [response], ['resourceType']],
    ['another resource', { ...response, resourceType: 'Patient' }, ['resourceType']],
    ['no questionnaire', { ...response, questionnaire: undefined }, ['questionnaire']],
    ['somebody else’s questionnaire', { ...response, questionnaire: 'http://x.example/q|1' }, ['questionnaire']],
    ['no version', { ...response, questionnaire: questionnaire.slice(0, -2) }, ['questionnaire']],
    ['what was entered in error', { ...response, status: 'entered-in-error' }, ['status']],
    ['no status', { ...response, status: undefined }, ['status']],
    ['several answers', answered({ valueString: 'x' }, { valueString: 'y' }), ['item[0].answer']],
    ['no value', answered({}), ['item[0].answer[0]']],
    ['two values', answered({ valueString: 'x', valueInteger: 1 }), ['item[0].answer[0]']],
    ['a value of another type', answered({ valueQuantity: { value: 1 } }), ['item[0].answer[0]']],
    ['a type by another name', answered({ valueconstructor: 1 }), ['item[0].answer[0]']],
    ['items that are none', { ...response, item: ['x', null] }, ['item']],
    ['items that are no list', { ...response, item: { linkId: 'a' } }, ['item']],
    ['answers that are no list', { ...response, item: [{ linkId: 'a', answer: 'x' }] }, ['item[0].answer']],
    ['what may turn it around', { ...answered({ valueString: 'x' }), modifierExtension: [] }, ['modifierExtension']],
    [
      'an answer that may be turned around',
      answered({ valueString: 'x', modifierExtension: [] }),
      ['item[0].answer[0].modifierExtension'],
    ],
  ])('%s is refused', (_case, resource, paths) => {
    expect(pathsOf(resource)).toEqual(paths);
  });

  test('endless nesting does not exhaust the stack, and at most a hundred issues are listed', () => {
    let item: object = { linkId: 'x' };
    for (let depth = 0; depth < 5000; depth += 1)
      item = { linkId: 'x', answer: [{ valueBoolean: true, item: [item] }] };
    expect(pathsOf({ ...response, item: [item] })).toHaveLength(1);
    const many = Array.from({ length: 50_000 }, () => ({ linkId: 'a', answer: [{}] }));
    expect(pathsOf({ ...response, item: many })).toHaveLength(100);
  });
});

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
  ['application/fhir+json; q=0.5, application/json', false],
  ['application/json; q=0.1, application/fhir+json; fhirVersion=4.0 ; q=0.9', true],
  ['application/json;profile="a,b";q=0.1, application/fhir+json', true],
])('Accept: %s', (accept, isFhir) => {
  expect(prefers(accept, 'application/fhir+json')).toBe(isFhir);
});

describe('over HTTP', () => {
  const Accept = 'application/fhir+json';

  test('a definition and a response, each in the requested form', async () => {
    const me = await client();
    const { userId } = (await me.get('/users/me')).body;
    await me.put('/questionnaires/responses/one', { body: { questionnaireId: 'phq-9', version: '1.1', answers: [] } });
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

  const put = (me: Awaited<ReturnType<typeof client>>, resource: unknown, type = `${Accept}; charset=utf-8`) =>
    me.put('/questionnaires/responses/two', { body: resource, headers: { 'Content-Type': type } });

  test('an exported response is written as the draft that it was, and another user completes it', async () => {
    const [me, other] = [await client(), await client()];
    const answers = phq9(0, 2);
    const body = { questionnaireId: 'phq-9', version: '1.1', answers, recordedAt: '2026-01-02T01:00:00.000Z' };
    await me.put('/questionnaires/responses/one', { body });
    const { body: resource } = await me.get('/questionnaires/responses/one', { headers: { Accept } });
    for (const type of [Accept, `${Accept}; charset=utf-8`, `${Accept};fhirVersion=4.0`, 'Application/FHIR+JSON']) {
      const { status, body: draft, headers } = await put(other, resource, type);
      expect([status, headers.get('etag')]).toEqual([200, '"1"']);
      expect(draft).toMatchObject({ ...body, responseId: 'two', status: 'draft' });
    }
    const { body: done } = await other.post('/questionnaires/responses/two/complete');
    expect(done.scores).toMatchObject([{ value: 16 }]);
    const { body: back } = await other.get('/questionnaires/responses/two', { headers: { Accept } });
    expect([back.status, back.item]).toEqual(['completed', resource.item]);
  });

  test('a response that does not fit its questionnaire is 400, and the issues quote no answer', async () => {
    const me = await client();
    const resource = {
      resourceType: 'QuestionnaireResponse',
      questionnaire: 'https://mobile-health.example/fhir/Questionnaire/phq-9|1.1',
      status: 'completed',
      item: [
        { linkId: 'phq9-1', answer: [{ valueString: 'my secret' }] },
        { linkId: 'unknown', answer: [{ valueBoolean: true }] },
      ],
    };
    const { status, body } = await put(me, resource);
    const paths = body.detail.issues.map(({ path }: { path: string }) => path);
    expect([status, paths]).toEqual([400, ['answers[0].choice', 'answers[1].linkId']]);
    expect(JSON.stringify(body)).not.toContain('secret');
    const formless = await put(me, { ...resource, item: [{ answer: [{ valueInteger: '1' }] }] });
    expect([formless.status, formless.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await put(me, { ...resource, questionnaire: resource.questionnaire.replace('1.1', '9') })).status).toBe(
      404,
    );
    expect((await me.get('/questionnaires/responses/two')).status).toBe(404);
  });

  test.each([
    ['application/fhir+json; charset=latin1', 'UNSUPPORTED_CONTENT_TYPE'],
    ['application/fhir+json; fhirVersion=5.0', 'UNSUPPORTED_CONTENT_TYPE'],
    ['application/fhir+xml', 'UNSUPPORTED_CONTENT_TYPE'],
    ['__proto__', 'UNSUPPORTED_CONTENT_TYPE'],
    ['application/json', 'VALIDATION_FAILED'],
  ])('a response as %s: %s', async (type, code) => {
    const me = await client();
    expect((await put(me, { resourceType: 'QuestionnaireResponse' }, type)).body.code).toBe(code);
  });

  test('other routes take no FHIR', async () => {
    const admin = await client({ application: 'medinfo', roles: 'admin' });
    const sent = { body: '{}', headers: { 'Content-Type': Accept } };
    expect((await admin.post('/questionnaires/simulate', sent)).body.code).toBe('UNSUPPORTED_CONTENT_TYPE');
  });

  test('an error keeps our JSON form', async () => {
    const me = await client();
    const { headers, body } = await me.get('/questionnaires/none', { headers: { Accept } });
    expect([headers.get('content-type'), body.code]).toEqual([
      ...['application/json; charset=utf-8', 'QUESTIONNAIRE_NOT_FOUND'],
    ]);
    const { status } = await call('GET', '/questionnaires/phq-9', { headers: { Accept } });
    expect(status).toBe(401);
  });

  test('an exported definition can be imported', async () => {
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

describe('a definition from another system', () => {
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

  test('is read, and everything without a place is listed', () => {
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

  test('endless nesting does not exhaust the stack', () => {
    let item: object = { linkId: 'x', type: 'group', text: 'x' };
    for (let depth = 0; depth < 5000; depth += 1)
      item = { linkId: `g${depth}`, type: 'group', text: 'x', item: [item] };
    expect(readImported({ ...foreign, item: [item] }).issues).not.toBeNull();
  });
});
