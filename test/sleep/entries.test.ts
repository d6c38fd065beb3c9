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
    expect([read.status, read.headers.get('etag'), read.body]).toEqual([200, '"1"', body]);
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
    await one.put(path, { body: early });
    expect((await one.put(path, { body: late })).body).toMatchObject({
      quality: 5,
      recordedAt: at('08'),
      replacedAt: at('07'),
    });
    await other.put(path, { body: late });
    expect((await other.put(path, { body: early })).body).toMatchObject({
      quality: 5,
      recordedAt: at('08'),
      replacedAt: null,
    });
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
    expect(body.detail.issues.map(({ path: where }: { path: string }) => where)).toEqual(['zone', 'quality', 'notes']);
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
