import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRoundTrips, roundTripsOf } from '../capacity/round-trips.ts';
import { openStage, type Stage } from '../faults/stage.ts';
import { newAddress } from '../mails.ts';

/**
 * What a stranger could measure. The mail itself is no part of the answer, so each request begins when the queue is empty: on a laptop
 * the consumer would take the processor from the next request, and it has more to do for some addresses than for others.
 */

let stage: Stage;
let removeCounters: (() => void) | undefined;
beforeAll(async () => {
  // The counter of round trips is around each bundle.
  stage = await openStage({ asDeployed: true });
  removeCounters = countRoundTrips(stage.stage);
});
afterAll(async () => {
  await stage.close();
  removeCounters?.();
});

const pairs = 200;
const known = 'patient@example.com';

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0;
}

test.each([
  ['sign-up', '/users', {}],
  ['forgotten password', '/auth/password/forgot', {}],
  ['reset', '/auth/password/reset', { code: '000000', password: 'a-long-new-passphrase' }],
])('%s: status, body and time are the same whether the address has an account', async (name, path, more) => {
  const answers = new Set<string>();
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const ask = async (kind: 'known' | 'unknown', isCounted = true) => {
    const body = { email: kind === 'known' ? known : newAddress(), ...more };
    await stage.stage.idle();
    const began = performance.now();
    const answer = await stage.call('sleepcare', '', 'POST', path, body);
    if (isCounted) times[kind].push(performance.now() - began);
    answers.add(JSON.stringify([answer.status, answer.body]));
  };
  for (let index = 0; index < 10; index += 1) await ask('known', false);
  // Interleaved and in turns, so that what else the machine does falls on both alike.
  for (let index = 0; index < pairs; index += 1) {
    const order = index % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of order) await ask(kind);
  }
  const of = (kind: 'known' | 'unknown') => [0.25, 0.5, 0.75].map((part) => quantile(times[kind], part));
  const [one, other] = [of('known'), of('unknown')];
  const shown = (three: readonly number[]) => three.map((each) => each.toFixed(2)).join(' / ');
  console.log(`${name}: quartiles of ${pairs} each in ms, known ${shown(one)}, unknown ${shown(other)}`);
  expect(answers.size).toBe(1);
  // The medians are nearer to each other than half of what the requests of one kind differ by.
  const spread = Math.max((one[2] ?? 0) - (one[0] ?? 0), (other[2] ?? 0) - (other[0] ?? 0));
  expect(Math.abs((one[1] ?? 0) - (other[1] ?? 0))).toBeLessThan(Math.max(0.5, spread / 2));
});

test.each([
  ['sign-up', '/users', '/users/verify', { birthYear: 1980 }],
  ['forgotten password', '/auth/password/forgot', '/auth/password/reset', {}],
])(
  '%s: wrong codes after the mail take as many calls whether the address has an account',
  async (_, ask, enter, more) => {
    const told = async (email: string) => {
      await stage.call('sleepcare', '', 'POST', ask, { email });
      await stage.stage.idle();
      const answers: unknown[] = [];
      for (let index = 0; index < 6; index += 1) {
        const body = { email, code: '000000', password: 'a-long-new-passphrase', ...more };
        const answer = await stage.call('sleepcare', '', 'POST', enter, body);
        answers.push([answer.status, Object(answer.body).code, roundTripsOf(answer).prod]);
      }
      return answers;
    };
    const unknown = await told(newAddress());
    expect(await told('developer@example.com')).toEqual(unknown);
    // Five tries are taken, and a sixth is none. The first trip is to the function that checks.
    expect(unknown.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => [400, 'CODE_INVALID', 3]));
    expect(unknown[5]).toEqual([400, 'CODE_INVALID', 2]);
  },
);
