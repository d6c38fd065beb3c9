import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';
import { choosing, instrument, phq9 } from '../questionnaires/instruments.ts';

/** The story of a response over HTTP, by what is answered. */

type Patient = Awaited<ReturnType<typeof client>>;

const draft = (more: object = {}) => ({
  questionnaireId: 'phq-9',
  version: 'questionnaireId' in more ? '1.0' : '1.1',
  answers: phq9().slice(0, 2),
  ...more,
});
const path = (id: string) => `/questionnaires/responses/${id}`;
const at = (hour: number) => `2026-01-02T${String(hour).padStart(2, '0')}:00:00.000Z`;

async function completed(me: Patient, item9 = 0, more: object = {}) {
  const id = randomUUID();
  await me.put(path(id), { body: draft({ answers: phq9(item9), ...more }) });
  const { status, body: answer } = await me.post(`${path(id)}/complete`);
  const { outcome, ...body } = answer;
  expect([status, outcome]).toEqual([200, 'stored']);
  return { id, body };
}

describe('a draft', () => {
  test('is stored under the id that the app makes; the same request again writes nothing', async () => {
    const me = await client();
    const body = draft({ recordedAt: at(1) });
    const first = await me.put(path('one'), { body });
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"']);
    expect(first.body).toMatchObject({
      responseId: 'one',
      status: 'draft',
      scores: null,
      flags: [],
      bundleId: null,
      recordedAt: at(1),
      replacedAt: null,
    });
    const again = await me.put(path('one'), { body });
    expect([again.body, again.headers.get('etag')]).toEqual([first.body, '"1"']);
    const { outcome, ...stored } = first.body;
    expect([outcome, stored.crisisHelp]).toEqual(['stored', null]);
    expect((await me.get(path('one'))).body).toEqual(stored);
  });

  test('the later recording of two phones stays, whichever arrives last', async () => {
    const me = await client();
    const [early, late] = [draft({ recordedAt: at(1) }), draft({ recordedAt: at(2), answers: phq9().slice(0, 5) })];
    await me.put(path('one'), { body: late });
    const { status, body } = await me.put(path('one'), { body: early });
    expect([status, body.recordedAt, body.answers.length, body.outcome]).toEqual([200, at(2), 5, 'superseded']);
    const lost = await me.delete(`${path('one')}?recordedAt=${at(1)}`);
    expect(lost.body).toMatchObject({ isDeleted: false, outcome: 'superseded' });
    const { body: third } = await me.put(path('one'), { body: draft({ recordedAt: at(3), answers: phq9() }) });
    expect([third.recordedAt, third.replacedAt]).toEqual([at(3), at(2)]);
    // This phone shows the first draft and completes the third.
    const complete = (recordedAt: string) => me.post(`${path('one')}/complete`, { body: { recordedAt } });
    const { body: done } = await complete(at(1));
    expect([done.status, done.outcome]).toEqual(['completed', 'superseded']);
    expect((await complete(at(3))).body).toEqual({ ...done, outcome: 'stored' });
  });

  test('that would raise a flag says whom to call, and that nobody sees it, in the language of the request', async () => {
    const me = await client();
    await me.get('/users/me');
    await me.patch('/users/me', { body: { locale: 'de', timezone: 'America/Denver' } });
    const send = (answers: object[], language?: string) =>
      me.put(path('one'), {
        body: draft({ answers }),
        ...(language !== undefined && { headers: { 'Accept-Language': language } }),
      });
    const critical = [{ linkId: 'phq9-9', choice: '1' }];
    const { body } = await send(critical);
    expect(body).toMatchObject({ status: 'draft', flags: [], crisisHelp: { country: 'US' } });
    expect(body.crisisHelp.draftNotice).toMatch(/sieht niemand, bis Sie/);
    const { body: english } = await send(critical, 'en-GB');
    expect(english.crisisHelp).toMatchObject({ country: 'US', draftNotice: 'Nobody sees this until you send it.' });
    expect((await me.get(path('one'))).body.crisisHelp).toEqual(body.crisisHelp);
    // The definition that the app keeps has the same help, and the rule by which the app knows.
    const { body: definition } = await me.get('/questionnaires/phq-9');
    expect(definition.crisisHelp).toEqual(body.crisisHelp);
    expect(definition.flags).toMatchObject([{ code: 'self-harm', item: 'phq9-9' }]);
    expect((await send([{ linkId: 'phq9-9', choice: '0' }])).body.crisisHelp).toBeNull();
  });

  test('that belongs to no bundle is found after a reinstallation; the newest is the first', async () => {
    const me = await client();
    const ids = async (query = '') =>
      (await me.get(`/questionnaires/responses?status=draft${query}`)).body.items.map(
        ({ responseId }: { responseId: string }) => responseId,
      );
    expect(await ids()).toEqual([]);
    await me.put(path('one'), { body: draft({ recordedAt: at(1) }) });
    await me.put(path('two'), { body: draft({ recordedAt: at(2) }) });
    await me.put(path('gad'), { body: { questionnaireId: 'gad-7', version: '1.0', answers: [], recordedAt: at(3) } });
    expect(await ids()).toEqual(['gad', 'two', 'one']);
    // A later state moves it, and one that lost does not.
    await me.put(path('one'), { body: draft({ recordedAt: at(4), answers: [] }) });
    await me.put(path('two'), { body: draft({ recordedAt: at(1), answers: [] }) });
    expect(await ids()).toEqual(['one', 'gad', 'two']);
    expect(await ids('&questionnaireId=phq-9')).toEqual(['one', 'two']);
    expect(await ids(`&from=${at(2)}&to=${at(4)}`)).toEqual(['gad', 'two']);
    const [{ answers }] = (await me.get('/questionnaires/responses?status=draft&limit=1')).body.items;
    expect(answers).toEqual([]);
    const page = (await me.get('/questionnaires/responses?status=draft&limit=2')).body.metadata;
    expect(await ids(`&limit=2&cursor=${page.nextCursor}`)).toEqual(['two']);
    expect((await me.get(`/questionnaires/responses?from=${at(2)}&to=${at(1)}`)).body.detail.issues).toMatchObject([
      { in: 'query', path: 'to', code: 'inconsistent' },
    ]);
    // A deleted draft and a completed one are no drafts any more.
    await me.delete(path('gad'));
    await me.put(path('two'), { body: draft({ answers: phq9() }) });
    expect((await me.post(`${path('two')}/complete`)).status).toBe(200);
    expect(await ids()).toEqual(['one']);
    const { body: completedOnes } = await me.get('/questionnaires/responses');
    expect(completedOnes.items.map(({ responseId }: { responseId: string }) => responseId)).toEqual(['two']);
  });

  test('If-Match: the current state is replaced, another one is 412', async () => {
    const me = await client();
    const { headers } = await me.put(path('one'), { body: draft({ recordedAt: at(2) }) });
    const ifMatch = { 'If-Match': headers.get('etag') ?? '' };
    const next = { body: draft({ recordedAt: at(1), answers: [] }), headers: ifMatch };
    expect((await me.put(path('one'), next)).status).toBe(200);
    // Its answer was lost: the same again is a success.
    expect((await me.put(path('one'), next)).status).toBe(200);
    const other = await me.put(path('one'), { body: draft({ recordedAt: at(9) }), headers: ifMatch });
    expect([other.status, other.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
  });

  test('an older write does not restore a deleted draft', async () => {
    const me = await client();
    await me.put(path('one'), { body: draft({ recordedAt: at(1) }) });
    const gone = await me.delete(`${path('one')}?recordedAt=${at(3)}`);
    expect([gone.status, gone.body]).toEqual([
      200,
      { responseId: 'one', isDeleted: true, recordedAt: at(3), outcome: 'stored' },
    ]);
    expect((await me.get(path('one'))).body.code).toBe('QUESTIONNAIRE_RESPONSE_NOT_FOUND');
    const older = await me.put(path('one'), { body: draft({ recordedAt: at(2) }) });
    expect([older.status, older.body.code]).toEqual([409, 'QUESTIONNAIRE_RESPONSE_DELETED']);
    expect((await me.put(path('one'), { body: draft({ recordedAt: at(4) }) })).status).toBe(200);
    const late = await me.delete(`${path('one')}?recordedAt=${at(3)}`);
    expect([late.status, late.body.isDeleted]).toEqual([200, false]);
  });

  test('a draft that arrives after its deletion stays deleted', async () => {
    const me = await client();
    expect((await me.delete(`${path('one')}?recordedAt=${at(3)}`)).body.isDeleted).toBe(true);
    expect((await me.put(path('one'), { body: draft({ recordedAt: at(2) }) })).status).toBe(409);
  });

  test('nobody else sees or changes it', async () => {
    const [me, other] = [await client(), await client()];
    const id = randomUUID();
    await me.put(path(id), { body: draft() });
    expect((await other.get(path(id))).status).toBe(404);
    expect((await other.post(`${path(id)}/complete`)).status).toBe(404);
    await other.delete(path(id));
    expect((await me.get(path(id))).status).toBe(200);
  });
});

describe('400 and 404 of a draft', () => {
  test('each invalid answer is named, and no value is quoted', async () => {
    const me = await client();
    const answers = [
      { linkId: 'phq9-1', choice: '9' },
      { linkId: 'phq9-2', text: 'my secret' },
      { linkId: 'nothing', choice: '0' },
    ];
    const { status, body } = await me.put(path('one'), { body: draft({ answers }) });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.detail.issues.map(({ path: where }: { path: string }) => where)).toEqual([
      ...['answers[0].choice', 'answers[1].choice', 'answers[2].linkId'],
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test.each([
    ['another questionnaire', { questionnaireId: 'other' }, 404],
    ['another version', { version: '9.9' }, 404],
    ['no bundle', { bundleId: 'none' }, 400],
    ['a bundle without it', { bundleId: 'well-being' }, 400],
    ['too many answers', { answers: Array.from({ length: 201 }, () => ({ linkId: 'a', boolean: true })) }, 400],
    [
      'answers that are too long',
      { answers: Array.from({ length: 40 }, () => ({ linkId: 'a', text: 'x'.repeat(2000) })) },
      400,
    ],
  ])('%s', async (_case, more, status) => {
    const me = await client();
    expect((await me.put(path('one'), { body: draft(more) })).status).toBe(status);
  });

  test('a response keeps its questionnaire', async () => {
    const me = await client();
    await me.put(path('one'), { body: draft() });
    const { status, body } = await me.put(path('one'), { body: draft({ questionnaireId: 'gad-7', answers: [] }) });
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });

  test('and its bundle, even if the answers are the same, or older', async () => {
    const me = await client();
    const who5 = (more: object) => ({ body: { questionnaireId: 'who-5', version: '1.0', answers: [], ...more } });
    await me.put(path('one'), who5({ recordedAt: at(2) }));
    for (const hour of [1, 2, 3]) {
      const { status, body } = await me.put(path('one'), who5({ recordedAt: at(hour), bundleId: 'well-being' }));
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
    }
    await me.put(path('two'), who5({ recordedAt: at(2), bundleId: 'well-being' }));
    expect((await me.put(path('two'), who5({ recordedAt: at(2) }))).status).toBe(409);
  });

  test('a number that no row can hold', async () => {
    const me = await client();
    const hours = (decimal: number) => {
      const answers = [{ linkId: 'psqi-4', decimal }];
      return me.put(path('one'), { body: draft({ questionnaireId: 'psqi', answers, recordedAt: at(1) }) });
    };
    const { status, body } = await hours(1e-131);
    expect([status, body.detail.issues]).toMatchObject([400, [{ path: 'answers[0].decimal', code: 'too_small' }]]);
    expect((await hours(5e-324)).status).toBe(400);
    expect((await hours(7.5)).status).toBe(200);
  });
});

describe('completing', () => {
  test('computes the scores; the same request again gives the same result', async () => {
    const me = await client();
    const { id, body } = await completed(me);
    expect(body).toMatchObject({
      status: 'completed',
      scores: [{ scoreId: 'total', value: 8, bandId: 'mild', missing: 0, rule: 'phq-9/1.1/1' }],
      flags: [],
      crisisHelp: null,
    });
    expect((await me.post(`${path(id)}/complete`)).body).toEqual({ ...body, outcome: 'stored' });
    expect((await me.get(path(id))).body).toEqual(body);
  });

  test('If-Match: only the draft that was read; a completed response is answered unchanged', async () => {
    const me = await client();
    const { headers } = await me.put(path('one'), { body: draft({ recordedAt: at(1) }) });
    await me.put(path('one'), { body: draft({ answers: phq9(), recordedAt: at(2) }) });
    const seen = { headers: { 'If-Match': headers.get('etag') ?? '' } };
    const stale = await me.post(`${path('one')}/complete`, seen);
    expect([stale.status, stale.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    const { status, body } = await me.post(`${path('one')}/complete`, { headers: { 'If-Match': '"2"' } });
    expect([status, body.status]).toEqual([200, 'completed']);
    expect((await me.post(`${path('one')}/complete`, seen)).body).toEqual(body);
    const correction = { body: { responseId: 'two', answers: phq9(0, 2) } };
    expect((await me.post(`${path('one')}/amend`, { ...correction, ...seen })).status).toBe(412);
    const current = { headers: { 'If-Match': (await me.get(path('one'))).headers.get('etag') ?? '' } };
    const amended = await me.post(`${path('one')}/amend`, { ...correction, ...current });
    expect(amended.status).toBe(200);
    // Its answer was lost: the same again is a success.
    expect((await me.post(`${path('one')}/amend`, { ...correction, ...current })).body).toEqual(amended.body);
  });

  test('at once from two phones: one score', async () => {
    const me = await client();
    await me.put(path('one'), { body: draft({ answers: phq9() }) });
    const answers = await Promise.all([1, 2, 3, 4].map(() => me.post(`${path('one')}/complete`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await me.get('/questionnaires/responses')).body.items).toHaveLength(1);
  });

  test('a required answer is missing: 400 names it', async () => {
    const me = await client();
    await me.put(path('one'), { body: draft({ answers: phq9().slice(0, 8) }) });
    const { status, body } = await me.post(`${path('one')}/complete`);
    expect([status, body.detail.issues.length, body.detail.issues[0].message]).toEqual([
      ...[400, 1, 'phq9-9 has to be answered'],
    ]);
  });

  test('contradicting answers: 400 names the items, when completing and in a correction', async () => {
    const me = await client();
    const psqi = (hours: number) => {
      const times = [
        { linkId: 'psqi-1', time: '23:00' },
        { linkId: 'psqi-2', integer: 10 },
        { linkId: 'psqi-3', time: '07:00' },
        { linkId: 'psqi-4', decimal: hours },
      ];
      return [
        ...times,
        ...choosing(instrument('psqi'), Array(14).fill(0)).filter(({ linkId }) => linkId !== 'psqi-5j'),
      ];
    };
    const refused = {
      in: 'body',
      path: 'answers',
      code: 'inconsistent',
      message: expect.stringMatching(/psqi-1.*psqi-4/),
    };
    const body = draft({ questionnaireId: 'psqi', answers: psqi(23.5), recordedAt: at(1) });
    expect((await me.put(path('one'), { body })).status).toBe(200);
    const answer = await me.post(`${path('one')}/complete`);
    expect([answer.status, answer.body.detail.issues]).toEqual([400, [refused]]);
    expect(JSON.stringify(answer.body)).not.toContain('23');
    await me.put(path('one'), { body: { ...body, answers: psqi(7.5), recordedAt: at(2) } });
    expect((await me.post(`${path('one')}/complete`)).body.scores.at(-1)).toMatchObject({
      scoreId: 'global',
      value: 0,
    });
    const amend = await me.post(`${path('one')}/amend`, { body: { responseId: 'two', answers: psqi(23.5) } });
    expect([amend.status, amend.body.detail.issues]).toEqual([400, [refused]]);
  });

  test('PHQ-9 needs all nine answers, and drops the one on difficulty where nothing is above 0', async () => {
    const me = await client();
    await me.put(path('one'), { body: draft({ answers: phq9().slice(2) }) });
    const { status, body } = await me.post(`${path('one')}/complete`);
    const issues = ['phq9-1', 'phq9-2'].map((linkId) => ({ message: expect.stringContaining(linkId) }));
    expect([status, body.detail.issues]).toMatchObject([400, issues]);
    const difficulty = { linkId: 'phq9-difficulty', choice: '2' };
    const told = async (id: string, others: number) => {
      const answers = [...phq9(0, others), difficulty];
      await me.put(path(id), { body: draft({ answers }) });
      return (await me.post(`${path(id)}/complete`)).body;
    };
    expect(await told('two', 1)).toMatchObject({ scores: [{ value: 8 }], answers: [...phq9(0, 1), difficulty] });
    expect((await told('three', 0)).answers).toEqual(phq9(0, 0));
  });

  test('a completed response cannot be changed or deleted; the same draft again returns it', async () => {
    const me = await client();
    const body = draft({ answers: phq9(), recordedAt: at(1) });
    await me.put(path('one'), { body });
    await me.post(`${path('one')}/complete`);
    expect((await me.put(path('one'), { body })).body.status).toBe('completed');
    const changed = await me.put(path('one'), { body: { ...body, answers: phq9(3), recordedAt: at(2) } });
    expect([changed.status, changed.body.code]).toEqual([409, 'QUESTIONNAIRE_RESPONSE_COMPLETED']);
    expect((await me.delete(path('one'))).body.code).toBe('QUESTIONNAIRE_RESPONSE_COMPLETED');
  });

  test('the response to a critical answer says whom to call', async () => {
    const me = await client();
    await me.get('/users/me');
    await me.patch('/users/me', { body: { locale: 'de-DE', timezone: 'Europe/Vienna' } });
    const { body } = await completed(me, 2);
    expect(body.flags).toEqual(['self-harm']);
    expect(body.crisisHelp).toMatchObject({ country: 'AT', notice: expect.stringContaining('nicht in Echtzeit') });
    const { body: asked } = await me.get('/questionnaires/phq-9');
    expect({ ...asked.crisisHelp, draftNotice: null }).toEqual(body.crisisHelp);
  });
});

describe('a correction', () => {
  test('is a new response that names the earlier response, which stays', async () => {
    const me = await client();
    const { id, body: earlier } = await completed(me);
    const amend = { body: { responseId: 'second', answers: phq9(0, 2) } };
    const { status, body } = await me.post(`${path(id)}/amend`, amend);
    expect([status, body.amends, body.scores[0].value]).toEqual([200, id, 16]);
    expect((await me.post(`${path(id)}/amend`, amend)).body).toEqual(body);
    expect((await me.get(path(id))).body).toEqual({ ...earlier, amendedBy: 'second' });
    const other = await me.post(`${path(id)}/amend`, { body: { responseId: 'third', answers: phq9() } });
    expect([other.status, other.body.code, other.body.detail]).toEqual([
      ...[409, 'QUESTIONNAIRE_RESPONSE_AMENDED', { amendedBy: 'second' }],
    ]);
    const { body: list } = await me.get('/questionnaires/responses');
    expect(list.items.map(({ responseId, amendedBy }: Record<string, unknown>) => [responseId, amendedBy])).toEqual([
      ['second', null],
      [id, 'second'],
    ]);
  });

  test('a draft or a missing response cannot be corrected, and a used id cannot be taken', async () => {
    const me = await client();
    const body = { responseId: 'second', answers: phq9() };
    await me.put(path('one'), { body: draft() });
    expect((await me.post(`${path('one')}/amend`, { body })).body.code).toBe('QUESTIONNAIRE_RESPONSE_NOT_COMPLETED');
    expect((await me.post(`${path('none')}/amend`, { body })).status).toBe(404);
    const { id } = await completed(me);
    expect((await me.post(`${path(id)}/amend`, { body: { ...body, responseId: 'one' } })).body.code).toBe('CONFLICT');
    const { status } = await me.post(`${path(id)}/amend`, { body: { responseId: 'new', answers: [] } });
    expect(status).toBe(400);
  });
});

describe('the list', () => {
  test('newest first, by questionnaire and time, page by page', async () => {
    const me = await client();
    const ids: string[] = [];
    for (let number = 0; number < 3; number += 1) ids.push((await completed(me)).id);
    await me.put(path('gad'), {
      body: {
        questionnaireId: 'gad-7',
        version: '1.0',
        answers: phq9()
          .slice(0, 7)
          .map((answer, index) => ({ ...answer, linkId: `gad7-${index + 1}` })),
      },
    });
    await me.post(`${path('gad')}/complete`);
    const listed = async (query: string) => {
      const { body } = await me.get(`/questionnaires/responses${query}`);
      return body.items.map(({ responseId }: { responseId: string }) => responseId);
    };
    expect(await listed('')).toEqual(['gad', ...ids.toReversed()]);
    expect(await listed('?questionnaireId=phq-9')).toEqual(ids.toReversed());
    const { body: first } = await me.get(path(ids[1] ?? ''));
    expect(await listed(`?questionnaireId=phq-9&from=${first.completedAt}`)).toEqual([ids[2], ids[1]]);
    expect(await listed(`?to=${first.completedAt}`)).toEqual([ids[0]]);
    expect(await listed('?questionnaireId=other')).toEqual([]);
    const { body: page } = await me.get('/questionnaires/responses?limit=2');
    const next = encodeURIComponent(page.metadata.nextCursor);
    expect(await listed(`?limit=2&cursor=${next}`)).toEqual([ids[1], ids[0]]);
  });
});
