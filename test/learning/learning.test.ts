import { describe, expect, test } from 'vitest';
import { admin, type Person, patient } from '../access-codes/people.ts';
import { baseUrl, isDeployed } from '../api.ts';
import { eventually } from '../eventually.ts';
import { entryOf } from '../sleep/diary.ts';
import { inProgramme, rightAnswers, texts, unitPath } from './people.ts';

const course = '/learning/courses/sleep-basics';

const complete = (me: Person, name: string, body: object = {}) => me.post(`${unitPath(name)}/complete`, { body });
const move = (me: Person, name: string, position: number, percent: number, more: object = {}) =>
  me.put(`${unitPath(name)}/progress`, { body: { position, percent, ...more } });

const without = { unitId: null, day: null, date: null, questionnaireId: null };

describe('without an entitlement', () => {
  test('the course is listed and locked, and nothing of it is handed out', async () => {
    const me = await patient();
    const { status, body } = await me.get('/learning/courses');
    expect([status, body.code]).toEqual([200, undefined]);
    const [found] = body.items.filter(({ courseId }: { courseId: string }) => courseId === 'sleep-basics');
    expect(found).toMatchObject({ version: '1.2', unitsTotal: 8, unitsCompleted: 0, nextUnitId: null });
    expect(found.unlocksNext.lockedBy).toEqual([{ ...without, kind: 'entitlement' }]);
    const { body: read } = await me.get(course);
    expect(read.modules.map((module: { package: unknown }) => module.package)).toEqual([null, null]);
    expect(JSON.stringify(read)).not.toContain('X-Amz-Signature');
  });

  test.each([
    ['GET', (me: Person) => me.get(unitPath('what-sleep-does'))],
    ['PUT', (me: Person) => move(me, 'what-sleep-does', 1, 1)],
    ['POST', (me: Person) => complete(me, 'what-sleep-does')],
  ])('%s of a unit is 403 UNIT_LOCKED, which says by what', async (_method, ask) => {
    const me = await patient();
    const { status, body } = await ask(me);
    expect([status, body.code, body.detail]).toEqual([
      ...[403, 'UNIT_LOCKED', { lockedBy: [{ ...without, kind: 'entitlement' }] }],
    ]);
    expect((await me.get('/learning/progress')).body.items).toEqual([]);
  });
});

describe('404', () => {
  test.each(['sleep-basics.none', 'none.one', 'none', 'a b', 'sleep-basics.__proto__', 'constructor.name'])(
    'UNIT_NOT_FOUND: %s',
    async (unitId) => {
      const me = await patient();
      const answers = [
        await me.get(`/learning/units/${encodeURIComponent(unitId)}`),
        await me.put(`/learning/units/${encodeURIComponent(unitId)}/progress`, { body: { position: 1, percent: 1 } }),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        Array.from(answers, () => [404, 'UNIT_NOT_FOUND']),
      );
    },
  );

  test('COURSE_NOT_FOUND', async () => {
    const { status, body } = await (await patient()).get('/learning/courses/none');
    expect([status, body.code]).toEqual([404, 'COURSE_NOT_FOUND']);
  });
});

test('a unit: its text in the language asked for, by an address that lives 15 minutes and is of nothing else', async () => {
  const me = await inProgramme();
  const { status, body } = await me.get(`${unitPath('what-sleep-does')}?locale=de-AT`);
  expect([status, body.locale, body.type, body.media, body.questions]).toEqual([200, 'de', 'text', null, []]);
  const { url, expiresAt, sizeBytes, contentType } = body.text;
  const left = Date.parse(expiresAt) - Date.now();
  expect([left > 800_000, left <= 900_000]).toEqual([true, true]);
  expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('900');
  const file = await fetch(url);
  const text = await file.text();
  expect([file.status, file.headers.get('content-type'), Buffer.byteLength(text)]).toEqual([
    200,
    contentType,
    sizeBytes,
  ]);
  expect(text).toMatch(/^# Wie eine Nacht/);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="sleep-basics.what-sleep-does.de.md"');
  // Neither another file nor another time by the same signature, and nothing without one.
  const [other, longer, bare] = [new URL(url), new URL(url), new URL(url)];
  const english = (await me.get(`${unitPath('what-sleep-does')}?locale=en`)).body.text.url;
  other.pathname = new URL(english).pathname;
  longer.searchParams.set('X-Amz-Expires', '604800');
  bare.search = '';
  for (const wrong of [other, longer, bare]) expect((await fetch(wrong)).status).toBe(403);
});

test('two phones: the greater of each, whichever comes late, and a repetition writes nothing', async () => {
  const me = await inProgramme();
  const first = await move(me, 'what-sleep-does', 120, 60);
  expect(first.body).toMatchObject({ position: 120, percent: 60, completedAt: null, quiz: null, outcome: 'stored' });
  expect((await move(me, 'what-sleep-does', 120, 60)).body).toEqual(first.body);
  for (const [position, percent] of [
    [30, 20],
    [30, 60],
    [120, 20],
  ] as const) {
    const { body } = await move(me, 'what-sleep-does', position, percent);
    expect(body).toEqual({ ...first.body, outcome: 'superseded' });
  }
  await Promise.all([90, 70, 80, 65].map((percent) => move(me, 'what-sleep-does', percent, percent)));
  const [{ units }] = (await me.get('/learning/progress')).body.items;
  expect(units).toMatchObject([{ unitId: 'sleep-basics.what-sleep-does', position: 120, percent: 90 }]);
});

test('phones that write of two units at once lose nothing of each other', async () => {
  const me = await inProgramme();
  await complete(me, 'what-sleep-does');
  await Promise.all([move(me, 'what-sleep-does', 5, 1), move(me, 'two-drives', 7, 70), complete(me, 'two-drives')]);
  const { body } = await me.get('/learning/progress');
  const found = body.items[0].units.map((unit: { unitId: string; percent: number; position: number }) => [
    ...[unit.unitId, unit.percent, unit.position],
  ]);
  expect(found.toSorted()).toEqual([
    ['sleep-basics.two-drives', 100, 7],
    ['sleep-basics.what-sleep-does', 100, 5],
  ]);
});

describe('the first module', () => {
  test('unit by unit to the quiz; the second waits for day 7', async () => {
    const me = await inProgramme();
    const before = (await me.get(course)).body;
    expect(before).toMatchObject({
      nextUnitId: 'sleep-basics.what-sleep-does',
      unlocksNext: {
        unitId: 'sleep-basics.two-drives',
        lockedBy: [{ ...without, kind: 'unit', unitId: 'sleep-basics.what-sleep-does' }],
      },
    });
    // The first module as a whole is a package already, the second is none.
    const [first, second] = before.modules;
    expect(second).toMatchObject({ isUnlocked: false, package: null });
    const packed = await fetch(first.package.url);
    expect(packed.headers.get('content-disposition')).toMatch(
      /^attachment; filename="sleep-basics\.[\w-]+\.\w+\.zip"$/,
    );
    const zip = Buffer.from(await packed.arrayBuffer());
    expect(zip.length).toBe(first.package.sizeBytes);
    expect(zip.subarray(0, 2).toString()).toBe('PK');

    for (const name of texts) expect((await complete(me, name)).status).toBe(200);
    const asked = (await me.get(unitPath('check'))).body;
    expect(asked).toMatchObject({ type: 'quiz', text: null, result: null });
    expect(JSON.stringify(asked.questions)).not.toContain('isCorrect');

    const wrong = await complete(me, 'check', { answers: rightAnswers.slice(1) });
    expect([wrong.status, wrong.body.detail.issues]).toMatchObject([400, [{ in: 'body', path: 'answers' }]]);
    const answers = rightAnswers.with(0, { questionId: 'waking', values: ['ill'] });
    const done = await complete(me, 'check', { answers });
    expect(done.body.progress).toMatchObject({ percent: 100, quiz: { score: 2, maxScore: 3 } });
    expect(done.body.result.version).toBe('1.2');
    expect(done.body.result.questions[0]).toMatchObject({ isCorrect: false, correctValues: ['normal'] });
    // Once: better answers come too late, and progress is what it was.
    expect(done.body.outcome).toBe('stored');
    const late = await complete(me, 'check', { answers: rightAnswers });
    expect(late.body).toEqual({ ...done.body, outcome: 'superseded' });
    expect((await complete(me, 'check', { answers: answers.toReversed() })).body).toEqual(done.body);
    expect((await me.get(unitPath('check'))).body.result).toEqual(done.body.result);

    const locked = await me.get(unitPath('bed-means-sleep'));
    expect([locked.status, locked.body.detail.lockedBy]).toMatchObject([403, [{ kind: 'day', day: 7 }]]);
    expect((await me.get(course)).body).toMatchObject({ unitsCompleted: 4, nextUnitId: null });
  });

  test('two phones that complete a quiz at once: one of them is kept, and both get it', async () => {
    const me = await inProgramme();
    for (const name of texts) await complete(me, name);
    const worse = rightAnswers.with(0, { questionId: 'waking', values: ['ill'] });
    const both = await Promise.all([rightAnswers, worse].map((answers) => complete(me, 'check', { answers })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.map(({ body }) => body.outcome).toSorted()).toEqual(['stored', 'superseded']);
    const [one, other] = both.map(({ body: { outcome: _outcome, ...kept } }) => kept);
    expect(one).toEqual(other);
  });
});

test.skipIf(isDeployed())('other services learn of one completion, and not of what was answered', async () => {
  const me = await inProgramme();
  const { userId } = (await me.get('/users/me')).body;
  await move(me, texts[0] ?? '', 5, 5);
  const answers = await Promise.all([1, 2].map(() => complete(me, texts[0] ?? '')));
  const { unitId, completedAt } = answers[0]?.body.progress ?? {};
  await complete(me, texts[1] ?? '');
  const events = async () => {
    const answer = await fetch(new URL('/_local/bus-events?detailType=LearningUnitCompleted', baseUrl()));
    const { items } = (await answer.json()) as { items: { event: { detail: { userId: string } } | null }[] };
    return items.map(({ event }) => event?.detail).filter((detail) => detail?.userId === userId);
  };
  await eventually(async () => expect(await events()).toHaveLength(2));
  expect(await events()).toContainEqual({ userId, courseId: 'sleep-basics', unitId, completedAt });
});

test('what a phone recorded in the future, or before anything was unlocked', async () => {
  const me = await inProgramme();
  const early = await move(me, 'what-sleep-does', 1, 1, { recordedAt: '2020-01-01T00:00:00Z' });
  expect([early.status, early.body.code]).toEqual([403, 'UNIT_LOCKED']);
  const { body } = await complete(me, 'what-sleep-does', { recordedAt: '2098-01-01T00:00:00Z' });
  expect(Date.parse(body.progress.completedAt)).toBeLessThanOrEqual(Date.now());
});

test('an entitlement that staff ends closes the units at once, and not what was learnt', async () => {
  const [me, staff] = [await patient(), await admin()];
  const batch = await staff.post('/access-codes/batches', {
    body: {
      ...{ count: 1, kind: 'clinic', programmeId: 'insomnia-basic', grantsDays: 90 },
      redeemBy: '2098-12-31T23:59:59Z',
    },
  });
  await me.post('/access-codes/redeem', { body: { code: batch.body.codes[0].code } });
  const done = await complete(me, 'what-sleep-does');
  await staff.post(`/access-codes/batches/${batch.body.batchId}/revoke`, { body: { endEntitlements: true } });
  expect((await me.get(unitPath('what-sleep-does'))).status).toBe(403);
  expect((await complete(me, 'two-drives')).status).toBe(403);
  // The phone that comes late with what is done is answered with it.
  expect((await complete(me, 'what-sleep-does')).body).toEqual(done.body);
  expect((await me.get('/learning/progress')).body.items[0].units).toHaveLength(1);
  expect((await me.get('/users/me/programme')).body).toMatchObject({ programmes: [], diary: null, units: [] });
});

describe('today', () => {
  test('nothing without a programme', async () => {
    const { status, body } = await (await patient()).get('/users/me/programme');
    expect([status, body.programmes, body.diary, body.questionnaires, body.units]).toEqual([200, [], null, [], []]);
  });

  test('the diary of this morning is written when its entry is, and missing again without it', async () => {
    const me = await inProgramme();
    const zone = 'Europe/Berlin';
    const now = new Date();
    const date = now.toLocaleDateString('sv-SE', { timeZone: zone });
    const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
    const night = { inBedAt: ago(8), lightsOffAt: ago(8), finalWakeAt: ago(0), outOfBedAt: ago(0), zone };
    expect((await me.put(`/sleep/entries/${date}`, { body: entryOf(date, night) })).status).toBe(200);
    const today = async () => (await me.get('/users/me/programme')).body;
    const { diary } = await today();
    // Unless midnight has passed in between.
    expect(diary.status).toBe(diary.date === date ? 'written' : 'missing');
    await me.delete(`/sleep/entries/${date}`);
    expect((await today()).diary.status).toBe('missing');
  });

  test('the diary, the questionnaires of the start and the first unit, then what is left of them', async () => {
    const me = await inProgramme();
    const today = async () => (await me.get('/users/me/programme')).body;
    const { date, ...first } = await today();
    expect(first).toMatchObject({
      programmes: [{ programmeId: 'insomnia-basic', day: 0, courseIds: ['sleep-basics'] }],
      diary: { date, status: 'missing' },
      questionnaires: [{ bundleId: 'sleep-start', status: 'due', questionnaireIds: ['phq-9', 'gad-7', 'isi', 'ess'] }],
      units: [{ unitId: 'sleep-basics.what-sleep-does', percent: 0 }],
    });
    await move(me, 'what-sleep-does', 10, 30);
    expect((await today()).units).toMatchObject([{ unitId: 'sleep-basics.what-sleep-does', percent: 30 }]);
    await complete(me, 'what-sleep-does');
    const answers = Array.from({ length: 9 }, (_, index) => ({ linkId: `phq9-${index + 1}`, choice: '0' }));
    const phq9 = { questionnaireId: 'phq-9', version: '1.1', bundleId: 'sleep-start', answers };
    await me.put('/questionnaires/responses/first', { body: phq9 });
    await me.post('/questionnaires/responses/first/complete');
    expect(await today()).toMatchObject({
      questionnaires: [{ status: 'in-progress', questionnaireIds: ['gad-7', 'isi', 'ess'] }],
      units: [{ unitId: 'sleep-basics.two-drives' }],
    });
  });
});

test.each([
  ['a percent above 100', { position: 1, percent: 101 }, 'percent'],
  ['a part of one', { position: 1, percent: 0.5 }, 'percent'],
  ['a position below 0', { position: -1, percent: 1 }, 'position'],
  ['no position', { percent: 1 }, 'position'],
  ['no time', { position: 1, percent: 1, recordedAt: 'yesterday' }, 'recordedAt'],
])('400 VALIDATION_FAILED: %s', async (_case, body, path) => {
  const me = await inProgramme();
  const answer = await me.put(`${unitPath('what-sleep-does')}/progress`, { body });
  expect([answer.status, answer.body.detail.issues]).toMatchObject([400, [{ in: 'body', path }]]);
});
