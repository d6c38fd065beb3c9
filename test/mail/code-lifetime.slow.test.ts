import { afterAll, expect, test } from 'vitest';
import { openStage } from '../auth/stage.ts';
import { newAddress } from '../mails.ts';
import { mailRows } from './rows.ts';

/** A code of a mail works for ten minutes, and the mail says so. */

const own = await openStage();
const rows = mailRows(own.stage);
afterAll(async () => {
  rows.close();
  await own.stage.close();
});

const minute = 60_000;
const password = 'correct-horse-battery';

const send = (path: string, body: unknown) => own.send('POST', path, { body, application: 'sleepcare' });

async function signUp(locale: string) {
  const email = newAddress();
  expect((await send('/users', { email, locale })).status).toBe(202);
  await own.stage.idle();
  const answer = await fetch(`${own.stage.url}/_local/mails?to=${encodeURIComponent(email)}`);
  const { items } = (await answer.json()) as { items: { text: string; code: string }[] };
  const [{ text, code } = { text: '', code: '' }] = items;
  return { text, verify: () => send('/users/verify', { email, code, password, birthYear: 1980 }) };
}

test.each([
  ['en', 'valid for 10 minutes'],
  ['de', 'gilt 10 Minuten'],
])('it works before, and not after: %s', async (locale, said) => {
  const [kept, late] = [await signUp(locale), await signUp(locale)];
  expect(kept.text).toContain(said);
  await rows.age(9 * minute);
  expect((await kept.verify()).status).toBe(200);
  await rows.age(minute);
  expect(await late.verify()).toMatchObject({ status: 400, body: { code: 'CODE_INVALID' } });
});
