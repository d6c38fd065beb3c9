import { describe, expect, test } from 'vitest';
import { adding, instrument, phq9 } from '../questionnaires/instruments.ts';
import { daysAgo, entryOf, episodeOf, patient } from './diary.ts';

const date = daysAgo(2);
const summary = `/sleep/summary?from=${daysAgo(10)}&to=${daysAgo(0)}`;

const outcomes = ({ body }: { body: { items: { outcome: string }[] } }) => body.items.map(({ outcome }) => outcome);

describe('episodes', () => {
  test('200: an episode that is sent twice, even at once, is stored once', async () => {
    const me = await patient();
    const episodes = [2, 3, 4].map((days) => episodeOf(daysAgo(days)));
    const answers = await Promise.all([1, 2, 3].map(() => me.post('/sleep/episodes', { body: { episodes } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.flatMap(outcomes).toSorted()).toEqual([...Array(3).fill('stored'), ...Array(6).fill('unchanged')]);
    expect((await me.get(summary)).body.device).toMatchObject({
      nights: 3,
      asleepMinutes: { mean: 420, standardDeviation: 0 },
      deepMinutes: { mean: 60 },
    });
  });

  test('200: a hundred in one call, and one twice in one call', async () => {
    const me = await patient();
    const episodes = Array.from({ length: 99 }, (_, index) => episodeOf(daysAgo(index + 1)));
    const sent = [...episodes, episodes[0]];
    expect(new Set(outcomes(await me.post('/sleep/episodes', { body: { episodes: sent } })))).toEqual(
      new Set(['stored']),
    );
    expect((await me.get(`/sleep/summary?from=${daysAgo(120)}&to=${daysAgo(0)}`)).body.device.nights).toBe(99);
  });

  test('200: a changed one is replaced, also on another date', async () => {
    const me = await patient();
    const episode = episodeOf(date);
    await me.post('/sleep/episodes', { body: { episodes: [episode] } });
    const moved = episodeOf(daysAgo(3), { sourceId: episode.sourceId });
    const answer = await me.post('/sleep/episodes', { body: { episodes: [moved] } });
    expect(answer.body.metadata).toEqual({ limit: 100, count: 1, hasMore: false, nextCursor: null });
    expect(answer.body.items).toEqual([
      { source: 'healthkit', sourceId: episode.sourceId, date: daysAgo(3), outcome: 'replaced' },
    ]);
    expect((await me.get(`/sleep/summary?from=${date}&to=${date}`)).body.device.nights).toBe(0);
    expect((await me.get(`/sleep/summary?from=${daysAgo(3)}&to=${daysAgo(3)}`)).body.device.nights).toBe(1);
  });

  test('200: a date holds fifty; existing ones can still be replaced', async () => {
    const me = await patient();
    const episodes = Array.from({ length: 60 }, (_, index) => episodeOf(date, { sourceId: `s-${index}` }));
    const send = async (some: object[]) => outcomes(await me.post('/sleep/episodes', { body: { episodes: some } }));
    expect(await send(episodes)).toEqual([...Array(50).fill('stored'), ...Array(10).fill('left-out')]);
    expect(await send(episodes.slice(45, 55))).toEqual([...Array(5).fill('unchanged'), ...Array(5).fill('left-out')]);
    const changed = episodeOf(date, { sourceId: 's-0', zone: 'Europe/London' });
    const elsewhere = episodeOf(daysAgo(3), { sourceId: 's-50' });
    expect(await send([changed, elsewhere])).toEqual(['replaced', 'stored']);
  });

  test('200: a session of Health Connect without stages is sleep as a whole', async () => {
    const me = await patient();
    const session = episodeOf(date, { source: 'health-connect', stages: [] });
    expect(outcomes(await me.post('/sleep/episodes', { body: { episodes: [session] } }))).toEqual(['stored']);
    expect((await me.get(summary)).body.device).toMatchObject({ nights: 1, asleepMinutes: { mean: 450 } });
  });

  test('400: each invalid value is named by its place', async () => {
    const me = await patient();
    const [first, second] = [episodeOf(date), episodeOf(date, { source: 'fitbit' })];
    const { status, body } = await me.post('/sleep/episodes', { body: { episodes: [first, second] } });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.detail.issues.map(({ path }: { path: string }) => path)).toEqual(
      [0, 1, 2].map((index) => `episodes[1].stages[${index}].stage`),
    );
    expect((await me.get(summary)).body.device.nights).toBe(0);
  });

  test.each([
    ['none', []],
    ['101', Array.from({ length: 101 }, () => episodeOf(date))],
  ])('400: %s', async (_case, episodes) => {
    const me = await patient();
    expect((await me.post('/sleep/episodes', { body: { episodes } })).status).toBe(400);
  });
});

describe('the summary', () => {
  test('200: by week, and the whole', async () => {
    const me = await patient();
    for (const days of [2, 3, 4]) await me.put(`/sleep/entries/${daysAgo(days)}`, { body: entryOf(daysAgo(days)) });
    const { body } = await me.get(`${summary}&by=week`);
    expect(body).toMatchObject({
      by: 'week',
      nights: 3,
      totalSleepMinutes: { mean: 405, standardDeviation: 0 },
      efficiencyPercent: { mean: 90, standardDeviation: 0 },
      midSleep: { mean: '02:55', standardDeviationMinutes: 0 },
      regularity: { index: 100, pairs: 2 },
    });
    expect(body.periods.reduce((sum: number, { nights }: { nights: number }) => sum + nights, 0)).toBe(3);
    expect((await me.get(`${summary}&by=month`)).body).toMatchObject({ by: 'month', nights: 3 });
  });

  test('400: 367 days', async () => {
    const me = await patient();
    expect((await me.get('/sleep/summary?from=2025-01-01&to=2026-01-02')).status).toBe(400);
    expect((await me.get('/sleep/summary?from=2025-01-01&to=2026-01-01')).status).toBe(200);
  });
});

describe('the window', () => {
  test('200: no window, and what the first one needs; in the reader’s language', async () => {
    const me = await patient();
    expect((await me.get('/sleep/window')).body).toMatchObject({
      status: 'none',
      window: null,
      tonight: null,
      suspendedBecause: [],
      next: { dueOn: null, nights: 0, nightsNeeded: 5, waitingFor: { code: 'NO_DIARY' } },
    });
    await me.put(`/sleep/entries/${date}`, { body: entryOf(date) });
    const { body } = await me.get('/sleep/window', { headers: { 'Accept-Language': 'de-AT' } });
    expect(body.next).toMatchObject({
      nights: 1,
      waitingFor: { code: 'TOO_FEW_NIGHTS', text: expect.stringContaining('Weniger als 5') },
    });
  });

  test('200: answers in a questionnaire suspend it: sleepiness above ten until days later, or a flag that is not cleared', async () => {
    const me = await patient();
    const suspended = async () =>
      (await me.get('/sleep/window')).body.suspendedBecause.map(({ code }: { code: string }) => code);
    const complete = async (responseId: string, body: object) => {
      const path = `/questionnaires/responses/${responseId}`;
      expect((await me.put(path, { body })).status).toBe(200);
      expect((await me.post(`${path}/complete`)).status).toBe(200);
    };
    const ess = (total: number) => ({
      questionnaireId: 'ess',
      version: '1.0',
      answers: adding(instrument('ess'), total),
    });
    await complete('rested', ess(10));
    expect(await suspended()).toEqual([]);
    await complete('sleepy', ess(11));
    expect(await suspended()).toEqual(['SLEEPINESS']);
    await complete('mood', { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1) });
    expect(await suspended()).toEqual(['SLEEPINESS', 'OPEN_FLAG']);
    // On the same day this says nothing.
    await complete('rested-again', ess(10));
    expect(await suspended()).toEqual(['SLEEPINESS', 'OPEN_FLAG']);
  });
});
