import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { newAddress, type SentMail } from '../mails.ts';
import type { Dependency } from './case.ts';
import { nameOf } from './case.ts';
import { mailCases } from './mails.ts';
import { type Answer, asked, openStage, type Stage } from './stage.ts';
import { expectAnswer } from './survive.ts';

/** Accounts and their mails, whatever fails: no mail is lost, and what was answered with 503 succeeds when it is asked for again. */

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const password = 'a-long-first-passphrase';
const next = 'another-long-passphrase';

const call = (method: string, path: string, body?: object, token = '') =>
  stage.call('sleepcare', token, method, path, body);

/** Time passes for the queue, and for the leases of mails that were not given back. */
async function aMinutePasses(): Promise<void> {
  stage.stage.queues.elapse(60_000);
  const TableName = stage.stage.data.tables('MailRecords');
  const { Items = [] } = await stage.data.send(new ScanCommand({ TableName, ConsistentRead: true }));
  for (const { mailRecord, leasedUntil } of Items) {
    if (!(leasedUntil > 1)) continue;
    const UpdateExpression = 'SET leasedUntil = :past';
    const past = { ':past': 1 };
    await stage.data.send(
      new UpdateCommand({ TableName, Key: { mailRecord }, UpdateExpression, ExpressionAttributeValues: past }),
    );
  }
}

async function mailsTo(address: string): Promise<SentMail[]> {
  await stage.stage.idle(aMinutePasses);
  const answer = await fetch(`${stage.stage.url}/_local/mails?to=${encodeURIComponent(address)}`);
  return ((await answer.json()) as { items: SentMail[] }).items;
}

async function codeTo(address: string): Promise<string> {
  const code = (await mailsTo(address)).at(-1)?.code;
  if (!code) throw new Error('no code came');
  return code;
}

async function account(): Promise<string> {
  const email = newAddress();
  await asked(call('POST', '/users', { email }));
  await asked(call('POST', '/users/verify', { email, code: await codeTo(email), password, birthYear: 1980 }));
  return email;
}

function signIn(username: string): Promise<Answer> {
  return call('POST', '/auth/tokens', { grantType: 'password', username, password });
}

test.each(mailCases.map((each) => ({ ...each, name: nameOf(each.plan) })))(
  'a mail · $name',
  async ({ plan, atMost }) => {
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

/** What has to be there before, and the request itself. */
type Prepared = { readonly send: () => Promise<Answer>; readonly status?: number };

const routes: Readonly<Record<string, { on: readonly Dependency[]; prepare: () => Promise<Prepared> }>> = {
  'sign-up': {
    on: ['SQS'],
    prepare: async () => ({ send: () => call('POST', '/users', { email: newAddress() }), status: 202 }),
  },
  'verification of a sign-up': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async () => {
      const email = newAddress();
      await asked(call('POST', '/users', { email }));
      const body = { email, code: await codeTo(email), password, birthYear: 1980 };
      return { send: () => call('POST', '/users/verify', body) };
    },
  },
  'forgotten password': {
    on: ['SQS'],
    prepare: async () => ({
      send: () => call('POST', '/auth/password/forgot', { email: newAddress() }),
      status: 202,
    }),
  },
  'reset of a password': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async () => {
      const email = await account();
      await asked(call('POST', '/auth/password/forgot', { email }));
      const body = { email, code: await codeTo(email), password: next };
      return { send: () => call('POST', '/auth/password/reset', body) };
    },
  },
  'change of a password': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      const body = { currentPassword: password, password: next };
      return { send: () => call('PUT', '/users/me/password', body, accessToken) };
    },
  },
  'request of another address': {
    on: ['DynamoDB', 'SQS'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      return { send: () => call('POST', '/users/me/email', { email: newAddress() }, accessToken), status: 202 };
    },
  },
  'change of the address': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      await asked(call('GET', '/users/me', undefined, accessToken));
      const email = newAddress();
      await asked(call('POST', '/users/me/email', { email }, accessToken));
      const body = { email, code: await codeTo(email) };
      return { send: () => call('POST', '/users/me/email/verify', body, accessToken) };
    },
  },
  'set-up of a second factor': {
    on: ['Cognito'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      return { send: () => call('POST', '/users/me/second-factor', undefined, accessToken) };
    },
  },
  'end of a second factor': {
    on: ['Cognito', 'SQS'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      return { send: () => call('DELETE', '/users/me/second-factor', undefined, accessToken) };
    },
  },
  'list of sessions': {
    on: ['DynamoDB'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      return { send: () => call('GET', '/auth/sessions', undefined, accessToken) };
    },
  },
  'end of a session': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      const { items } = await asked(call('GET', '/auth/sessions', undefined, accessToken));
      return { send: () => call('DELETE', `/auth/sessions/${items[0].sessionId}`, undefined, accessToken) };
    },
  },
  'sign-out': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async () => {
      const { refreshToken } = await asked(signIn(await account()));
      return { send: () => call('POST', '/auth/tokens/revoke', { refreshToken }) };
    },
  },
  'new recovery codes': {
    on: ['DynamoDB', 'SQS'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      return { send: () => call('POST', '/auth/recovery-codes', undefined, accessToken) };
    },
  },
  'use of a recovery code': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async () => {
      const username = await account();
      const { accessToken } = await asked(signIn(username));
      const { secret } = await asked(call('POST', '/users/me/second-factor', undefined, accessToken));
      const code = codeAt(secret, stepAt(Date.now()));
      await asked(call('POST', '/users/me/second-factor/verify', { code }, accessToken));
      const { codes } = await asked(call('POST', '/auth/recovery-codes', undefined, accessToken));
      const body = { username, password, recoveryCode: codes[0] };
      return { send: () => call('POST', '/auth/recovery-codes/use', body) };
    },
  },
  'end of all sessions': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async () => {
      const { accessToken } = await asked(signIn(await account()));
      return { send: () => call('DELETE', '/auth/sessions', undefined, accessToken) };
    },
  },
  'sign-in': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async () => {
      const email = await account();
      return { send: () => signIn(email) };
    },
  },
};

const kinds = ['throttle', 'hang'] as const;
const outages = Object.entries(routes).flatMap(([name, { on, prepare }]) =>
  on.flatMap((dependency) => kinds.map((kind) => ({ name, dependency, kind, prepare }))),
);

describe('an outage is a 503, and the same request succeeds after it', () => {
  test.each(outages)('$name · $dependency: $kind', async ({ dependency, kind, prepare }) => {
    const { send, status = 200 } = await prepare();
    await stage.stage.idle();
    const fault = stage.fail({ dependency, kind, times: Number.POSITIVE_INFINITY }, '');
    const met = await send().finally(() => stage.lift(fault));
    expect(fault.met).toBeGreaterThan(0);
    expectAnswer(met, 'UNAVAILABLE');
    expectAnswer(await send(), null, status);
  });
});

test('a second factor whose notice could not be sent is off, and can be set up again', async () => {
  const email = await account();
  const { accessToken } = await asked(signIn(email));
  const { secret } = await asked(call('POST', '/users/me/second-factor', undefined, accessToken));
  const fault = stage.fail({ dependency: 'SQS', kind: 'error', times: Number.POSITIVE_INFINITY }, '');
  const code = codeAt(secret, stepAt(Date.now()));
  const met = await call('POST', '/users/me/second-factor/verify', { code }, accessToken).finally(() =>
    stage.lift(fault),
  );
  expectAnswer(met, 'UNAVAILABLE');
  expect(await signIn(email)).toMatchObject({ status: 200 });
  const again = await asked(call('POST', '/users/me/second-factor', undefined, accessToken));
  const other = { code: codeAt(again.secret, stepAt(Date.now())) };
  expect((await call('POST', '/users/me/second-factor/verify', other, accessToken)).status).toBe(200);
  expect(await signIn(email)).toMatchObject({ status: 401, body: { code: 'TOTP_REQUIRED' } });
});

test('nothing was given up on the way', () => {
  expect(stage.stage.queues.named('MailQueueDeadLetters').messages()).toEqual([]);
});
