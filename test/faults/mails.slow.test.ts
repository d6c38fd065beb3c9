import { afterAll, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { newAddress } from '../mails.ts';
import { openAccounts, password } from './accounts.ts';
import { nameOf } from './case.ts';
import { mailCases } from './mails.ts';
import { asked } from './stage.ts';
import { expectAnswer } from './survive.ts';

/** The mails of accounts, whatever fails: no mail is lost. */

const accounts = await openAccounts({ patience: 1 });
const stage = accounts.stage;
afterAll(() => stage.close());

test.each(mailCases.map((each) => ({ ...each, name: nameOf(each.plan) })))(
  'a mail · $name',
  async ({ plan, atMost }) => {
    const { call, mailsTo } = accounts;
    const email = newAddress();
    const fault = stage.fail(plan, email);
    expectAnswer(await call('POST', '/users', { email }), null, 202);
    const mails = await mailsTo(email);
    stage.lift(fault);
    expect(fault.met).toBe(plan.times);
    expect(mails.length).toBeGreaterThan(0);
    expect(mails.length).toBeLessThanOrEqual(atMost);
    // A mail that comes twice has the same code, and it works.
    const codes = [...new Set(mails.map(({ code }) => code))];
    expect(codes).toHaveLength(1);
    const verified = await call('POST', '/users/verify', { email, code: codes[0], password, birthYear: 1980 });
    expectAnswer(verified, null);
    expect(stage.stage.queues.named('MailQueueDeadLetters').messages()).toEqual([]);
  },
);

test('a second factor whose notice could not be sent is off, and can be set up again', async () => {
  const { call, account, signIn } = accounts;
  const email = await account();
  const { accessToken } = await asked(() => signIn(email));
  const { secret } = await asked(() => call('POST', '/users/me/second-factor', { password }, accessToken));
  const fault = stage.fail({ dependency: 'SQS', kind: 'error', times: Number.POSITIVE_INFINITY }, '');
  const code = codeAt(secret, stepAt(Date.now()));
  const met = await call('POST', '/users/me/second-factor/verify', { password, code }, accessToken).finally(() =>
    stage.lift(fault),
  );
  expectAnswer(met, 'UNAVAILABLE');
  expect(await signIn(email)).toMatchObject({ status: 200 });
  const again = await asked(() => call('POST', '/users/me/second-factor', { password }, accessToken));
  const other = { password, code: codeAt(again.secret, stepAt(Date.now())) };
  expect((await call('POST', '/users/me/second-factor/verify', other, accessToken)).status).toBe(200);
  expect(await signIn(email)).toMatchObject({ status: 401, body: { code: 'TOTP_REQUIRED' } });
});

test('nothing was given up on the way', () => {
  expect(stage.stage.queues.named('MailQueueDeadLetters').messages()).toEqual([]);
});
