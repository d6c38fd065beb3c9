import { describe, expect, test } from 'vitest';
import { daysAgo, entryOf, episodeOf, patient } from './diary.ts';

const date = daysAgo(2);
const path = `/sleep/entries/${date}`;
const at = (hour: string) => `${daysAgo(1)}T${hour}:00:00.000Z`;

describe('PUT', () => {
  test('200: the entry, with what follows from it', async () => {
    const me = await patient();
    const { status, body, headers } = await me.put(path, {
      body: entryOf(date, {
        ...{ notes: 'Slept <well>.', naps: { count: 1, minutes: 20 } },
        alcohol: { drinks: 1e-200 },
      }),
    });
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(body).toMatchObject({
      date,
      slept: true,
      tryingToSleepAfterWakeMinutes: 0,
      medication: null,
      notes: 'Slept <well>.',
      alcohol: { drinks: 0, lastAt: null },
      figures: {
        timeInBedMinutes: 450,
        totalSleepMinutes: 405,
        efficiencyPercent: 90,
        episodeEfficiencyPercent: 90,
        midSleep: '02:55',
      },
      replacedAt: null,
    });
    const read = await me.get(path);
    expect([read.status, read.headers.get('etag')]).toEqual([200, '"1"']);
    expect({ ...read.body, outcome: 'stored' }).toEqual(body);
  });

  test('200: the same again changes nothing', async () => {
    const me = await patient();
    const sent = { body: entryOf(date, { recordedAt: at('07') }) };
    const first = await me.put(path, sent);
    expect(await me.put(path, sent)).toMatchObject({ status: 200, body: first.body });
    // Also with the ETag of the state before it, as a phone repeats what was not answered.
    expect((await me.put(path, { ...sent, headers: { 'If-Match': '"0"' } })).body).toEqual(first.body);
  });

  test('200: the later recording of two phones stays, whichever arrives last', async () => {
    const [early, late] = [
      entryOf(date, { quality: 1, recordedAt: at('07') }),
      entryOf(date, { quality: 5, recordedAt: at('08') }),
    ];
    const [one, other] = [await patient(), await patient()];
    expect((await one.put(path, { body: early })).body.outcome).toBe('stored');
    expect((await one.put(path, { body: late })).body).toMatchObject({
      quality: 5,
      recordedAt: at('08'),
      replacedAt: at('07'),
      outcome: 'stored',
    });
    await other.put(path, { body: late });
    expect((await other.put(path, { body: early })).body).toMatchObject({
      quality: 5,
      recordedAt: at('08'),
      replacedAt: null,
      outcome: 'superseded',
    });
    const gone = (hour: string) => other.delete(`${path}?recordedAt=${encodeURIComponent(at(hour))}`);
    expect((await gone('07')).body).toMatchObject({ deleted: false, outcome: 'superseded' });
    expect((await gone('09')).body).toMatchObject({ deleted: true, outcome: 'stored' });
  });

  test('400: an empty body names every field that is missing, at once', async () => {
    const me = await patient();
    const missing = async (body: object) => {
      const answer = await me.put(path, { body });
      expect(answer.status).toBe(400);
      const { issues } = answer.body.detail as { issues: { in: string; path: string; code: string }[] };
      return issues.map(({ in: place, path: name, code }) => `${place} ${name} ${code}`).toSorted();
    };
    const ofNight = ['awakenings', 'finalWakeAt', 'inBedAt', 'lightsOffAt', 'outOfBedAt', 'sleepOnsetMinutes'];
    const needed = [...ofNight, 'wakeMinutes'].map((name) => `body ${name} required`);
    expect(await missing({})).toEqual([...needed, 'body zone required'].toSorted());
    expect(await missing({ zone: 'UTC' })).toEqual(needed);
    expect(await missing({ slept: false })).toEqual(['body zone required']);
    expect(await missing({ zone: 5, quality: 9 })).toEqual(
      [...needed, 'body quality too_big', 'body zone invalid_type'].toSorted(),
    );
  });

  test('200: naps are a list of times, or their number and length', async () => {
    const me = await patient();
    const day = (hours: string) => `${daysAgo(3)}T${hours}:00Z`;
    const naps = [
      { start: day('13:00'), end: day('13:30') },
      { start: day('16:00'), end: day('16:10') },
    ];
    const stored = naps.map(({ start, end }) => ({
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
    }));
    const { body } = await me.put(path, { body: entryOf(date, { naps }) });
    expect(body.naps).toEqual({ count: 2, minutes: 40, times: stored });
    expect(body.figures).toMatchObject({ totalSleepMinutes: 405, totalSleep24hMinutes: 445, efficiencyPercent: 90 });
    // What was read can be written again.
    const { body: again } = await me.put(path, { body: entryOf(date, { naps: body.naps }) });
    expect([again.naps, again.updatedAt]).toEqual([body.naps, body.updatedAt]);
    const mean = async () => (await me.get(`/sleep/summary?from=${date}&to=${date}`)).body.totalSleep24hMinutes.mean;
    expect(await mean()).toBe(445);
    const old = await me.put(path, { body: entryOf(date, { naps: { count: 1, minutes: 20 } }) });
    expect(old.body).toMatchObject({
      naps: { count: 1, minutes: 20, times: null },
      figures: { totalSleep24hMinutes: 425 },
    });
    const none = await me.put(path, { body: entryOf(date, { naps: [] }) });
    expect(none.body).toMatchObject({ naps: { count: 0, times: [] }, figures: { totalSleep24hMinutes: 405 } });
    const unknown = await me.put(path, { body: entryOf(date) });
    expect(unknown.body).toMatchObject({ naps: null, figures: { totalSleep24hMinutes: null } });
    expect(await mean()).toBeNull();
  });

  test('400: naps that cannot be', async () => {
    const me = await patient();
    const paths = async (naps: unknown) => {
      const { status, body } = await me.put(path, { body: entryOf(date, { naps }) });
      expect(status).toBe(400);
      return body.detail.issues.map(({ path: name, code }: { path: string; code: string }) => `${name} ${code}`);
    };
    const day = (hours: string) => `${daysAgo(3)}T${hours}:00Z`;
    const one = { start: day('13:00'), end: day('13:30') };
    expect(await paths({ count: 1 })).toEqual(['naps.minutes required']);
    expect(await paths([{ ...one, end: one.start }])).toEqual(['naps.times[0].end inconsistent']);
    expect(await paths([one, { start: day('13:20'), end: day('14:00') }])).toEqual([
      'naps.times[1].start inconsistent',
    ]);
    expect(await paths([{ start: day('22:30'), end: day('23:30') }])).toEqual(['naps.times[0] inconsistent']);
    const early = { start: `${daysAgo(4)}T13:00:00Z`, end: `${daysAgo(4)}T13:30:00Z` };
    expect(await paths([early])).toEqual(['naps.times[0].start inconsistent']);
    expect(await paths([{ start: day('02:00'), end: day('22:55') }])).toEqual(['naps inconsistent']);
    expect(await paths(Array(21).fill(one))).toEqual(['naps.times too_long']);
  });

  test('200: eight phones at once leave the one that was recorded last', async () => {
    const me = await patient();
    const writes = Array.from({ length: 8 }, (_, index) =>
      entryOf(date, { wakeMinutes: index + 1, recordedAt: at(String(10 + index)) }),
    );
    const answers = await Promise.all(writes.map((body) => me.put(path, { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await me.get(path)).body.wakeMinutes).toBe(8);
  });

  test.each(['PST', 'ist', 'ECT'])('400: %s is not an IANA zone', async (zone) => {
    const me = await patient();
    const answers = [
      await me.put(path, { body: entryOf(date, { zone }) }),
      await me.post('/sleep/episodes', { body: { episodes: [episodeOf(date, { zone })] } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });

  test('200: a zone is kept as IANA spells it, and a repeat in another case changes nothing', async () => {
    const me = await patient();
    const send = (zone: string) => me.put(path, { body: entryOf(date, { zone, recordedAt: at('07') }) });
    const first = await send('europe/BERLIN');
    expect(first.body.zone).toBe('Europe/Berlin');
    expect(await send('Europe/Berlin')).toMatchObject({ status: 200, body: first.body });
  });

  test('200: a night without sleep', async () => {
    const me = await patient();
    const body = { zone: 'UTC', slept: false };
    expect((await me.put(path, { body })).body).toMatchObject({
      slept: false,
      lightsOffAt: null,
      figures: { totalSleepMinutes: 0, efficiencyPercent: 0, midSleep: null },
    });
  });

  test('400: each invalid value is named, and no value is quoted', async () => {
    const me = await patient();
    const { status, body } = await me.put(path, {
      body: entryOf(date, {
        lightsOffAt: null,
        finalWakeAt: null,
        zone: 'Mars/Olympus',
        quality: 6,
        notes: 'x'.repeat(2001),
      }),
    });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.detail.issues.map(({ path: where }: { path: string }) => where)).toEqual([
      ...['zone', 'quality', 'notes', 'lightsOffAt', 'finalWakeAt'],
    ]);
    const second = await me.put(path, {
      body: entryOf(date, { lightsOffAt: null, wakeMinutes: null, notes: 'A secret of mine' }),
    });
    expect(second.body.detail.issues).toMatchObject([
      { in: 'body', path: 'lightsOffAt', code: 'required' },
      { in: 'body', path: 'wakeMinutes', code: 'required' },
    ]);
    expect(JSON.stringify(second.body)).not.toContain('secret');
  });

  test.each([
    ['tomorrow', daysAgo(-1)],
    ['31 days back', daysAgo(32)],
  ])('400: %s', async (_case, other) => {
    const me = await patient();
    const { status, body } = await me.put(`/sleep/entries/${other}`, { body: entryOf(other) });
    expect(status).toBe(400);
    expect(body.detail.issues).toContainEqual(expect.objectContaining({ in: 'path', path: 'date' }));
  });

  test('412: If-Match names another state', async () => {
    const me = await patient();
    await me.put(path, { body: entryOf(date) });
    const change = { body: entryOf(date, { quality: 1 }) };
    expect(await me.put(path, { ...change, headers: { 'If-Match': '"7"' } })).toMatchObject({ status: 412 });
    expect((await me.put(path, { ...change, headers: { 'If-Match': '"1"' } })).headers.get('etag')).toBe('"2"');
  });
});

describe('DELETE', () => {
  test('200, and again; an older write of another phone does not bring it back, a later one does', async () => {
    const me = await patient();
    await me.put(path, { body: entryOf(date, { recordedAt: at('06') }) });
    const deleted = await me.delete(`${path}?recordedAt=${at('08')}`);
    expect(deleted).toMatchObject({ status: 200, body: { date, deleted: true, replacedAt: at('06') } });
    expect((await me.delete(path)).body).toEqual(deleted.body);
    expect(await me.get(path)).toMatchObject({ status: 404, body: { code: 'SLEEP_ENTRY_NOT_FOUND' } });
    expect(await me.put(path, { body: entryOf(date, { recordedAt: at('07') }) })).toMatchObject({ status: 404 });
    expect((await me.get(`/sleep/entries?from=${date}&to=${date}`)).body.items).toEqual([]);
    expect(await me.put(path, { body: entryOf(date, { recordedAt: at('09') }) })).toMatchObject({ status: 200 });
  });

  test('200: an entry that was recorded later stays', async () => {
    const me = await patient();
    await me.put(path, { body: entryOf(date, { recordedAt: at('09') }) });
    expect((await me.delete(`${path}?recordedAt=${at('08')}`)).body).toMatchObject({ deleted: false });
    expect((await me.get(path)).status).toBe(200);
  });

  test('412: If-Match for a missing entry', async () => {
    const me = await patient();
    expect(await me.delete(path, { headers: { 'If-Match': '"1"' } })).toMatchObject({ status: 412 });
  });

  test('404: a path that is no date', async () => {
    const me = await patient();
    expect(await me.delete('/sleep/entries/2026-02-30')).toMatchObject({
      status: 404,
      body: { code: 'SLEEP_ENTRY_NOT_FOUND' },
    });
  });
});

describe('the list', () => {
  test('200: only of the range and the caller, by date, page by page', async () => {
    const [me, other] = [await patient(), await patient()];
    const dates = [5, 4, 3, 2].map((days) => daysAgo(days));
    await Promise.all(dates.map((each) => me.put(`/sleep/entries/${each}`, { body: entryOf(each) })));
    await other.put(path, { body: entryOf(date) });
    const [from, to] = [dates[1], dates[3]];
    const datesOf = ({ body }: { body: { items: { date: string }[] } }) => body.items.map((item) => item.date);
    const all = await me.get(`/sleep/entries?from=${from}&to=${to}`);
    expect(datesOf(all)).toEqual(dates.slice(1));
    expect(all.body.metadata).toMatchObject({ limit: 100, hasMore: false });
    const first = await me.get(`/sleep/entries?from=${from}&to=${to}&limit=2`);
    expect(datesOf(first)).toEqual(dates.slice(1, 3));
    const cursor = encodeURIComponent(first.body.metadata.nextCursor);
    expect(datesOf(await me.get(`/sleep/entries?from=${from}&to=${to}&limit=2&cursor=${cursor}`))).toEqual(
      dates.slice(3),
    );
  });

  test('200: a cursor of another range has nothing behind it', async () => {
    const me = await patient();
    for (const days of [3, 2]) await me.put(`/sleep/entries/${daysAgo(days)}`, { body: entryOf(daysAgo(days)) });
    const { body } = await me.get(`/sleep/entries?from=${daysAgo(3)}&to=${daysAgo(2)}&limit=1`);
    const cursor = encodeURIComponent(body.metadata.nextCursor);
    const elsewhere = await me.get(`/sleep/entries?from=2026-01-01&to=2026-01-31&cursor=${cursor}`);
    expect(elsewhere).toMatchObject({ status: 200, body: { items: [], metadata: { hasMore: false } } });
  });

  test.each([
    ['101 days', 'from=2026-01-01&to=2026-04-11'],
    ['the wrong way round', 'from=2026-01-02&to=2026-01-01'],
  ])('400: %s', async (_case, query) => {
    const me = await patient();
    expect((await me.get(`/sleep/entries?${query}`)).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: { issues: [{ in: 'query', path: 'to', code: 'inconsistent' }] },
    });
  });

  test('200: 100 days', async () => {
    const me = await patient();
    expect((await me.get('/sleep/entries?from=2026-01-01&to=2026-04-10')).status).toBe(200);
  });
});
