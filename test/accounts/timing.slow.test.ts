import { expect, test } from 'vitest';
import { call } from '../api.ts';
import { newAddress } from '../mails.ts';
import { newAccount } from './people.ts';

const pairs = 200;

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

/** Interleaved, so that what else the machine does falls on both alike. */
async function compare(known: string, unknown: () => string, ask: (email: string) => Promise<unknown>) {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const timed = async (kind: 'known' | 'unknown', email: string) => {
    const began = performance.now();
    await ask(email);
    times[kind].push(performance.now() - began);
  };
  for (let index = 0; index < pairs; index += 1) {
    const order = index % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of order) await timed(kind, kind === 'known' ? known : unknown());
  }
  return { known: median(times.known), unknown: median(times.unknown) };
}

test.each([
  ['sign-up', '/users', {}],
  ['forgotten password', '/auth/password/forgot', {}],
  ['reset', '/auth/password/reset', { code: '000000', password: 'a-long-new-passphrase' }],
])('%s: status, body and time are the same whether the address has an account', async (name, path, more) => {
  const known = await newAccount();
  const answers = new Set<string>();
  const { known: one, unknown: other } = await compare(known, newAddress, async (email) => {
    const { status, body } = await call('POST', path, { body: { email, ...more } });
    answers.add(JSON.stringify([status, body]));
  });
  console.log(`${name}: median of ${pairs} each, known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms`);
  expect(answers.size).toBe(1);
  // Of the noise of a laptop; a look at the user pool would be several milliseconds.
  expect(Math.abs(one - other)).toBeLessThan(Math.max(1.5, 0.25 * Math.max(one, other)));
});
