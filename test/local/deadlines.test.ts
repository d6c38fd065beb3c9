import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { after } from '../../lib/local/deadlines.ts';

test('what has not ended expires, each at its own time and in order; what has ended never', async () => {
  const began = performance.now();
  const expired: [string, number][] = [];
  const wait = (name: string, milliseconds: number) =>
    after(milliseconds, () => expired.push([name, performance.now() - began]));
  wait('first', 60);
  const ended = wait('ended', 60);
  wait('short', 20);
  await sleep(30);
  wait('second', 60);
  ended();
  await vi.waitFor(() => expect(expired).toHaveLength(3), { timeout: 5000, interval: 5 });
  expect(expired.map(([name]) => name)).toEqual(['short', 'first', 'second']);
  const [short, first, second] = expired.map(([, at]) => at);
  expect(short).toBeGreaterThanOrEqual(20);
  expect(first).toBeGreaterThanOrEqual(60);
  expect(second).toBeGreaterThanOrEqual(89);
});

test('a duration that nobody waited for any more is watched again when somebody does', async () => {
  const ended = after(15, () => expect.unreachable());
  ended();
  await sleep(40);
  await new Promise<void>((resolve) => after(15, resolve));
});
