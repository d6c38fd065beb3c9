import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';
import { choosing, instrument } from './instruments.ts';

/** What administrators do with questionnaires and bundles. */

const admin = () => client({ application: 'medinfo', roles: 'admin' });
const { questionnaireId: _id, version: _version, ...content } = instrument('gad-7');

async function published(body: object = content) {
  const staff = await admin();
  const questionnaireId = `q-${randomUUID().slice(0, 8)}`;
  const path = `/questionnaires/${questionnaireId}/versions/1`;
  return { staff, questionnaireId, path, answer: await staff.put(path, { body }) };
}

describe('publishing', () => {
  test('makes a version that everybody reads; the same content again changes nothing, other content is 409', async () => {
    const { staff, questionnaireId, path, answer } = await published();
    expect([answer.status, answer.body.publishedAt, answer.body.crisisHelp]).toEqual([200, expect.any(String), null]);
    expect((await staff.put(path, { body: content })).body).toEqual(answer.body);
    const { status, body } = await staff.put(path, { body: { ...content, title: { en: 'Other' } } });
    expect([status, body.code]).toEqual([409, 'QUESTIONNAIRE_VERSION_PUBLISHED']);
    const me = await client();
    expect((await me.get(`/questionnaires/${questionnaireId}`)).body).toEqual(answer.body);
    const { body: events } = await staff.get(`/admin/audit-events?subject=questionnaire/${questionnaireId}/1`);
    expect(events.items).toMatchObject([{ action: 'questionnaire.published', before: null }]);
  });

  test('a new version becomes current, and the earlier one stays for ever', async () => {
    const { staff, questionnaireId, answer } = await published();
    const changed = { ...content, title: { en: 'Second' } };
    await staff.put(`/questionnaires/${questionnaireId}/versions/2`, { body: changed });
    expect((await staff.get(`/questionnaires/${questionnaireId}`)).body).toMatchObject({ version: '2' });
    expect((await staff.get(`/questionnaires/${questionnaireId}?version=1`)).body).toEqual(answer.body);
    const { body } = await staff.get('/questionnaires?limit=100');
    const listed = body.items.find((each: { questionnaireId: string }) => each.questionnaireId === questionnaireId);
    expect([listed.version, listed.title]).toEqual(['2', { en: 'Second' }]);
  });

  test('twice at once: one version, one event', async () => {
    const staff = await admin();
    const questionnaireId = `q-${randomUUID().slice(0, 8)}`;
    const path = `/questionnaires/${questionnaireId}/versions/1`;
    const answers = await Promise.all([1, 2, 3].map(() => staff.put(path, { body: content })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await staff.get(`/admin/audit-events?subject=questionnaire/${questionnaireId}/1`);
    expect(body.items).toHaveLength(1);
  });

  test.each([
    ['no items', { items: [] }, 'items'],
    ['an item of no type', { items: [{ linkId: 'a', type: 'x', text: { en: 'x' } }] }, 'items[0].type'],
    ['a text in no language', { title: {} }, 'title'],
    [
      'a score of nothing',
      { scores: [{ scoreId: 's', kind: 'sum', label: { en: 'x' }, of: [{ item: 'x' }] }] },
      'scores[0].of[0]',
    ],
    ['a flag without a bound', { flags: [{ code: 'f', item: 'gad7-1' }] }, 'flags[0]'],
  ])('%s: 400', async (_case, changed, path) => {
    const { answer } = await published({ ...content, ...changed });
    expect([answer.status, answer.body.detail.issues[0].path]).toEqual([400, path]);
  });

  test('an id that is a segment of another path', async () => {
    const { status } = await (await admin()).put('/questionnaires/responses/versions/1', { body: content });
    expect(status).toBe(400);
  });
});

describe('a dry run', () => {
  const run = async (body: object) => (await admin()).post('/questionnaires/simulate', { body });

  test('shows the scores, the flags and what is missing', async () => {
    const { questionnaireId, version, ...definition } = instrument('phq-9');
    const { status, body } = await run({
      definition,
      answers: choosing(instrument('phq-9'), [1, 1, 1, 1, 1, 1, 1, 2, null]),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ isComplete: false, missing: ['phq9-9'], flags: [] });
    expect(body.scores).toMatchObject([{ value: null, bandId: null, missing: 1 }]);
    expect([questionnaireId, version]).toEqual(['phq-9', '1.1']);
  });

  test('400 for invalid input', async () => {
    const { body } = await run({
      definition: { ...content, flags: [{ code: 'f', above: 1 }] },
      answers: [{ linkId: 'none', text: 'x' }],
    });
    expect(body.detail.issues.map(({ path }: { path: string }) => path)).toEqual([
      'definition.flags[0]',
      'answers[0].linkId',
    ]);
  });
});

describe('bundles', () => {
  const bundle = {
    title: { en: 'A bundle' },
    questionnaireIds: ['isi'],
    programmeId: 'none',
    windows: [{ windowId: 'w', fromDay: 0, toDay: 3 }],
  };

  test('are replaced only if the read state is still current', async () => {
    const staff = await admin();
    const path = `/admin/questionnaires/bundles/b-${randomUUID().slice(0, 8)}`;
    expect((await staff.put(path, { body: bundle })).body.code).toBe('PRECONDITION_REQUIRED');
    const first = await staff.put(path, { body: bundle, headers: { 'If-None-Match': '*' } });
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"']);
    expect((await staff.put(path, { body: bundle, headers: { 'If-None-Match': '*' } })).status).toBe(412);
    const ifMatch = { 'If-Match': '"1"' };
    const second = await staff.put(path, { body: { ...bundle, title: { en: 'New' } }, headers: ifMatch });
    expect(second.body.title).toEqual({ en: 'New' });
    expect((await staff.put(path, { body: bundle, headers: ifMatch })).body.code).toBe('PRECONDITION_FAILED');
    const read = await staff.get(path);
    expect([read.headers.get('etag'), read.body]).toEqual(['"2"', second.body]);
    const { body } = await staff.get('/admin/questionnaires/bundles?limit=100');
    expect(body.items).toContainEqual(second.body);
  });

  test.each([
    ['a questionnaire that is not published', { questionnaireIds: ['none'] }, 'questionnaireIds[0]'],
    ['one questionnaire twice', { questionnaireIds: ['isi', 'isi'] }, 'questionnaireIds'],
    ['no windows of a programme', { windows: [] }, 'windows'],
    ['windows of no programme', { programmeId: null }, 'windows'],
  ])('%s: 400', async (_case, changed, path) => {
    const staff = await admin();
    const { status, body } = await staff.put('/admin/questionnaires/bundles/wrong', {
      body: { ...bundle, ...changed },
      headers: { 'If-None-Match': '*' },
    });
    expect([status, body.detail.issues[0].path]).toEqual([400, path]);
    expect((await staff.get('/admin/questionnaires/bundles/wrong')).body.code).toBe('QUESTIONNAIRE_BUNDLE_NOT_FOUND');
  });
});
