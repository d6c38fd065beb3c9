import { describe, expect, test } from 'vitest';
import { environmentClock } from '../../lib/runtime/clock.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const day = 86_400_000;

/** A clock whose real time, table and log are the test's. */
function clockOf(variables: Record<string, string> = { CLOCK_TABLE: 'clock' }) {
  const state = {
    real: start,
    offset: null as number | null,
    fails: false,
    takesMs: 0,
    reads: 0,
    limits: [] as number[],
  };
  const lines: string[] = [];
  const read = async (_table: object, limitMs: number) => {
    state.limits.push(limitMs);
    state.reads += 1;
    state.real += state.takesMs;
    if (state.fails) throw Object.assign(new Error('secret-canary'), { name: 'TimeoutError' });
    return state.offset;
  };
  const clock = environmentClock(
    { variables, realNow: () => new Date(state.real), write: (line) => lines.push(line) },
    read,
  );
  return { state, lines, ask: async () => (await clock()).getTime() - state.real };
}

test('without the table the time is real, immediately and without a request', () => {
  let reads = 0;
  const real = new Date(start);
  const clock = environmentClock({ variables: {}, realNow: () => real, write: () => {} }, async () => {
    reads += 1;
    return day;
  });
  expect(clock()).toBe(real);
  expect(reads).toBe(0);
});

test('a clock that is not set shows real time', async () => {
  expect(await clockOf().ask()).toBe(0);
});

describe('a set clock', () => {
  test('continues to run, ahead of or behind the real time', async () => {
    const { state, ask } = clockOf();
    state.offset = -day;
    expect(await ask()).toBe(-day);
    state.real += 500;
    expect(await ask()).toBe(-day);
  });

  test('is known within a second, by one request in that time', async () => {
    const { state, ask } = clockOf();
    await ask();
    state.offset = day;
    state.real += 899;
    expect([await ask(), state.reads]).toEqual([0, 1]);
    state.real += 1;
    expect([await ask(), state.reads]).toEqual([day, 2]);
  });

  test('counts its freshness from before the reading, during which it may be set', async () => {
    const { state, ask } = clockOf();
    state.takesMs = 300;
    await ask();
    state.takesMs = 0;
    state.real += 600;
    await ask();
    expect(state.reads).toBe(2);
  });

  test('is waited for longer at the start of a function, also if that reading fails', async () => {
    const { state, ask } = clockOf();
    state.fails = true;
    for (let second = 0; second < 3; second += 1) {
      await ask();
      state.real += 1_000;
    }
    expect(state.limits).toEqual([2400, 800, 800]);
  });

  test('is read once for all waiting requests', async () => {
    const { state, ask } = clockOf();
    state.offset = day;
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([day, day, day]);
    expect(state.reads).toBe(1);
  });

  test('is read again if the real clock was set back', async () => {
    const { state, ask } = clockOf();
    await ask();
    state.real -= 3_600_000;
    await ask();
    expect(state.reads).toBe(2);
  });
});

describe('while the table cannot be read', () => {
  test('the last offset is used for half a minute, and then the time is real', async () => {
    const { state, lines, ask } = clockOf();
    state.offset = day;
    await ask();
    state.fails = true;
    state.real += 29_000;
    expect(await ask()).toBe(day);
    state.real += 2_000;
    expect(await ask()).toBe(0);
    state.fails = false;
    state.real += 1_000;
    expect(await ask()).toBe(day);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'WARN', message: 'clock not read', error: { name: 'TimeoutError' } },
      { level: 'WARN' },
    ]);
    expect(lines.join()).not.toContain('canary');
  });

  test('from the start, time is real', async () => {
    const { state, ask } = clockOf();
    state.fails = true;
    expect(await ask()).toBe(0);
  });

  test('only one request a second waits for it', async () => {
    const { state, ask } = clockOf();
    state.fails = true;
    state.takesMs = 800;
    for (let request = 0; request < 5; request += 1) await ask();
    expect(state.reads).toBe(1);
  });
});
