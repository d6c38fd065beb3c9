import { describe, expect, test } from 'vitest';
import { cached, staleOnError } from '../../lib/runtime/cached.ts';

/** A source that gives 1, 2, 3 …, or fails, and a clock. */
function source() {
  const state = { loads: 0, now: 0, isDown: false };
  const load = async () => {
    state.loads += 1;
    if (state.isDown) throw new Error('down');
    return state.loads;
  };
  return { state, load, elapsed: () => state.now };
}

describe('kept', () => {
  test('loads once, and again when the time is up', async () => {
    const { state, load, elapsed } = source();
    const get = cached(load, 5000, elapsed);
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    state.now = 4999;
    expect(await get()).toBe(1);
    state.now = 5000;
    expect(await get()).toBe(2);
  });

  test('does not keep a failure', async () => {
    const { state, load, elapsed } = source();
    const get = cached(load, 5000, elapsed);
    state.isDown = true;
    await expect(get()).rejects.toThrow('down');
    state.isDown = false;
    expect(await get()).toBe(2);
  });
});

describe('staleOnError', () => {
  test('is used while the source is down, however long', async () => {
    const { state, load, elapsed } = source();
    const get = staleOnError(load, 5000, elapsed);
    expect(await get()).toEqual({ value: 1 });
    state.isDown = true;
    for (const now of [5000, 10_000, 3_600_000]) {
      state.now = now;
      expect(await get()).toEqual({ value: 1, error: new Error('down') });
    }
    state.isDown = false;
    state.now += 5000;
    expect(await get()).toEqual({ value: 5 });
  });

  test('keeps a failure as long as a value, and gives null if there is no value', async () => {
    const { state, load, elapsed } = source();
    const get = staleOnError(load, 5000, elapsed);
    state.isDown = true;
    expect([await get(), await get()]).toEqual(Array(2).fill({ value: null, error: new Error('down') }));
    expect(state.loads).toBe(1);
  });
});
