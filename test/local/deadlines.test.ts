import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { after } from '../../lib/local/deadlines.ts';

// Durations that nothing else in this process waits for.
const [short, long] = [2003, 6007];
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('what has not ended expires, each at its own time and in order; what has ended never', () => {
  const began = performance.now();
  const expired: [string, number][] = [];
  const wait = (name: string, milliseconds: number) =>
    after(milliseconds, () => expired.push([name, performance.now() - began]));
  wait('first', long);
  const ended = wait('ended', long);
  wait('short', short);
  vi.advanceTimersByTime(3000);
  wait('second', long);
  ended();
  vi.advanceTimersByTime(60_000);
  expect(expired).toEqual([
    ['short', short],
    ['first', long],
    ['second', 3000 + long],
  ]);
});

test('a duration that nobody waited for any more is watched again when somebody does', () => {
  const ended = after(short, () => expect.unreachable());
  ended();
  vi.advanceTimersByTime(2 * short);
  const expired = vi.fn();
  after(short, expired);
  vi.advanceTimersByTime(short - 1);
  expect(expired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(expired).toHaveBeenCalledOnce();
});
