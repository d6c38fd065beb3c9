import { afterAll, expect, test } from 'vitest';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';

/** On a stage of its own: all other tests share one that does not count. */

let now = Date.parse('2026-03-01T12:00:00.000Z');

const stage = await startStage({ seed, rateLimit: true, now: () => now });
afterAll(() => stage.close());

async function statuses(count: number, paths: string[]): Promise<number[]> {
  const answers: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const answer = await fetch(`${stage.url}${paths[index % paths.length]}`, {
      headers: { 'X-Forwarded-For': `203.0.113.${index}` },
    });
    answers.push(answer.status);
    await answer.arrayBuffer();
  }
  return answers;
}

test('the 101st request of a minute from one address is 429 with Retry-After', async () => {
  expect(new Set(await statuses(100, ['/de/v1/users/agreements']))).toEqual(new Set([401]));
  const answer = await fetch(`${stage.url}/de/v1/users/agreements`);
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await answer.json()).toEqual({ code: 'RATE_LIMITED', message: expect.any(String), detail: null });
  // A minute later it is let in again.
  now += 61_000;
  expect(await statuses(1, ['/de/v1/users/agreements'])).toEqual([401]);
});

test('both applications, public and unknown paths count together', async () => {
  now += 3_600_000;
  const paths = ['/de/v1/users/agreements', '/v2/users/agreements', '/de/v1/no-such-path', '/v2/no-such-path'];
  const first = await statuses(100, paths);
  expect(first).not.toContain(429);
  expect(await statuses(4, paths)).toEqual([429, 429, 429, 429]);
});
