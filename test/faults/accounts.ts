import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StageOptions } from '../../bin/stage.ts';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { secureTokenIn } from '../mail/token.ts';
import { newAddress, type SentMail } from '../mails.ts';
import type { Dependency } from './case.ts';
import { type Answer, asked, openStage, type Stage } from './stage.ts';

/** Accounts of the sleep-care app, their mails, and the requests that change them. */

export const password = 'a-long-first-passphrase';
const next = 'another-long-passphrase';

/** What has to be there before, and the request itself. */
type Prepared = { readonly send: () => Promise<Answer>; readonly status?: number };

type AccountRoute = { readonly on: readonly Dependency[]; readonly prepare: (accounts: Accounts) => Promise<Prepared> };

export type Accounts = ReturnType<typeof accountsOf>;

/** Its schedules run only when they are asked for: every five minutes the deletions would end sessions, also those of a case that runs just then. */
export async function openAccounts(options: Pick<StageOptions, 'patience'>) {
  return accountsOf(await openStage({ isTimed: false, ...options }));
}

function accountsOf(stage: Stage) {
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
    await asked(() => call('POST', '/users', { email }));
    await asked(async () =>
      call('POST', '/users/verify', { email, code: await codeTo(email), password, birthYear: 1980 }),
    );
    return email;
  }

  function signIn(username: string): Promise<Answer> {
    return call('POST', '/auth/tokens', { grantType: 'password', username, password });
  }

  return { stage, call, mailsTo, codeTo, account, signIn };
}

/** What each request needs: an outage of it is a 503. */
export const accountRoutes: Readonly<Record<string, AccountRoute>> = {
  'sign-up': {
    on: ['SQS'],
    prepare: async ({ call }) => ({ send: () => call('POST', '/users', { email: newAddress() }), status: 202 }),
  },
  'verification of a sign-up': {
    on: ['DynamoDB', 'Cognito', 'Lambda'],
    prepare: async ({ call, codeTo }) => {
      const email = newAddress();
      await asked(() => call('POST', '/users', { email }));
      const body = { email, code: await codeTo(email), password, birthYear: 1980 };
      return { send: () => call('POST', '/users/verify', body) };
    },
  },
  'forgotten password': {
    on: ['SQS'],
    prepare: async ({ call }) => ({
      send: () => call('POST', '/auth/password/forgot', { email: newAddress() }),
      status: 202,
    }),
  },
  'reset of a password': {
    on: ['DynamoDB', 'Cognito', 'SQS', 'Lambda'],
    prepare: async ({ call, codeTo, account }) => {
      const email = await account();
      await asked(() => call('POST', '/auth/password/forgot', { email }));
      const body = { email, code: await codeTo(email), password: next };
      return { send: () => call('POST', '/auth/password/reset', body) };
    },
  },
  'change of a password': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      const body = { currentPassword: password, password: next };
      return { send: () => call('PUT', '/users/me/password', body, accessToken) };
    },
  },
  'request of another address': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      return {
        send: () => call('POST', '/users/me/email', { password, email: newAddress() }, accessToken),
        status: 202,
      };
    },
  },
  'change of the address': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ call, codeTo, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      await asked(() => call('GET', '/users/me', undefined, accessToken));
      const email = newAddress();
      await asked(() => call('POST', '/users/me/email', { password, email }, accessToken));
      const body = { email, code: await codeTo(email) };
      return { send: () => call('POST', '/users/me/email/verify', body, accessToken) };
    },
  },
  'set-up of a second factor': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async ({ call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      return { send: () => call('POST', '/users/me/second-factor', { password }, accessToken) };
    },
  },
  'end of a second factor': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      return { send: () => call('POST', '/users/me/second-factor/remove', { password }, accessToken) };
    },
  },
  'list of sessions': {
    on: ['DynamoDB'],
    prepare: async ({ call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      return { send: () => call('GET', '/auth/sessions', undefined, accessToken) };
    },
  },
  'end of a session': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async ({ call, account, signIn }) => {
      // Another session than that of the request: a token of what has ended cannot ask again.
      const email = await account();
      await asked(() => signIn(email));
      const { accessToken } = await asked(() => signIn(email));
      const { items } = await asked(() => call('GET', '/auth/sessions', undefined, accessToken));
      const other = items.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
      return { send: () => call('DELETE', `/auth/sessions/${other.sessionId}`, undefined, accessToken) };
    },
  },
  'sign-out': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async ({ call, account, signIn }) => {
      const { refreshToken } = await asked(async () => signIn(await account()));
      return { send: () => call('POST', '/auth/tokens/revoke', { refreshToken }) };
    },
  },
  'new recovery codes': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      return { send: () => call('POST', '/auth/recovery-codes', { password }, accessToken) };
    },
  },
  'use of a recovery code': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ call, account, signIn }) => {
      const username = await account();
      const { accessToken } = await asked(() => signIn(username));
      const { codes } = await asked(() => call('POST', '/auth/recovery-codes', { password }, accessToken));
      const { secret } = await asked(() => call('POST', '/users/me/second-factor', { password }, accessToken));
      const code = codeAt(secret, stepAt(Date.now()));
      await asked(() => call('POST', '/users/me/second-factor/verify', { password, code }, accessToken));
      const body = { username, password, recoveryCode: codes[0] };
      return { send: () => call('POST', '/auth/recovery-codes/use', body) };
    },
  },
  'link that says "this was not me"': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ call, mailsTo, account, signIn }) => {
      const email = await account();
      await asked(() => signIn(email));
      const token = secureTokenIn((await mailsTo(email)).at(-1)?.text);
      return { send: () => call('POST', '/auth/secure-account', { token }) };
    },
  },
  'end of all sessions': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async ({ call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      return { send: () => call('DELETE', '/auth/sessions', undefined, accessToken) };
    },
  },
  'deletion of an account': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      return { send: () => call('DELETE', '/users/me', undefined, accessToken) };
    },
  },
  'deletion of an account that is taken back': {
    on: ['DynamoDB', 'SQS'],
    prepare: async ({ call, account, signIn }) => {
      const email = await account();
      const { accessToken: before } = await asked(() => signIn(email));
      await asked(() => call('DELETE', '/users/me', undefined, before));
      const { accessToken } = await asked(() => signIn(email));
      return { send: () => call('POST', '/users/me/restore', undefined, accessToken) };
    },
  },
  'disabling of an account': {
    on: ['DynamoDB', 'Cognito', 'SQS'],
    prepare: async ({ stage, call, account, signIn }) => {
      const { accessToken } = await asked(async () => signIn(await account()));
      const { userId } = await asked(() => call('GET', '/users/me', undefined, accessToken));
      return { send: () => stage.admin.call('POST', `/users/${userId}/disable`) };
    },
  },
  'sign-in': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async ({ account, signIn }) => {
      const email = await account();
      return { send: () => signIn(email) };
    },
  },
};
