import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import {
  type Call,
  type End,
  faultNames,
  type Invariant,
  type Person,
  type SetUp,
} from '../../../lib/explore/scenario.ts';

/** What the scenarios of signing in have in common. */

export const password = 'a-long-passphrase';
export const emailOf = ({ userId }: Person) => `${userId}@example.com`;
/** Somebody whom the pool of the application knows. */
export function inThePool(
  { outside }: SetUp,
  person: Person,
  more: { hasApp?: boolean; groups?: string[] } = {},
): void {
  outside.users[person.userId] = {
    sub: person.userId,
    attributes: { email: emailOf(person), email_verified: 'true' },
    enabled: true,
    groups: [...person.roles],
    status: 'CONFIRMED',
    password,
    signedOut: 0,
    ...more,
  };
}

export const signingIn = (person: Person) => ({
  body: { grantType: 'password', username: emailOf(person), password },
});

export const renewing = (refreshToken: string) => ({ body: { grantType: 'refresh_token', refreshToken } });

export function tokenIn({ body }: { readonly body: object }): string {
  return String((body as { refreshToken?: unknown }).refreshToken ?? '');
}

/** @returns the refresh token of a new session */
export async function signedIn(setUp: SetUp, person: Person): Promise<string> {
  const answer = await setUp.call(person, 'issueTokens', signingIn(person));
  assert.equal(answer.status, 200);
  // The mail about this sign-in is no scenario's.
  setUp.outside.mails.length = 0;
  return tokenIn(answer);
}

/** @returns the refresh token of the first session of somebody whom the pool knows from now on */
export function newSession(setUp: SetUp, person: Person): Promise<string> {
  inThePool(setUp, person);
  return signedIn(setUp, person);
}

/** Of a refresh token of ours. */
export const sessionOf = (token: string) => token.split('.')[2] ?? '';

/** Refresh tokens that reached a client. */
export function handedOut({ calls }: End): string[] {
  const given = calls.filter(({ operation, answer }) => operation === 'issueTokens' && answer.status === 200);
  return given.map(({ answer }) => tokenIn(answer));
}

/** Whether the API still renews a token. It is asked when everything has come to rest. */
export async function renews(end: End, person: Person, token: string): Promise<boolean> {
  const { status } = await end.call(person, 'issueTokens', renewing(token));
  assert.ok([200, 401].includes(status), `a renewal is ${status}`);
  return status === 200;
}

/** Whether Cognito would still renew the session of a refresh token. */
export const livesInThePool = ({ outside }: End, token: string) =>
  Object.entries(outside.tokens).some(([each, lives]) => lives && each.split('.')[1] === sessionOf(token));

/** For stories in which no transaction has the row of a session: nothing conflicts with it there. */
export const withoutConflict = faultNames.filter((name) => name !== 'conflict');

/** Mails of that kind that wait in the queue: the function that sends them is not in these scenarios. */
export const mailsOf = ({ outside }: Pick<End, 'outside'>, kind: string) =>
  (outside.queues.MailQueue ?? []).filter(({ body }) => body.includes(`"${kind}"`));

export const done = (operation: string) => (call: Call) => call.operation === operation && call.answer.status === 200;

/** A renewal is refused where its session has ended. */
export const refusals: Invariant = (end) => {
  for (const call of end.calls.filter((each) => each.operation === 'issueTokens' && isAnswered(each))) {
    assert.ok([200, 401].includes(call.answer.status), `${call.answer.status}`);
  }
};

/** A token has one successor, however often it is presented: a session never has two branches. */
export const oneBranch: Invariant = ({ calls }) => {
  const next = new Map<string, string>();
  for (const { request, answer } of calls.filter(done('issueTokens'))) {
    const { refreshToken } = request.body as { refreshToken?: string };
    if (refreshToken === undefined) continue;
    assert.equal(tokenIn(answer), next.get(refreshToken) ?? tokenIn(answer), 'a token has two successors');
    next.set(refreshToken, tokenIn(answer));
  }
};

/** Why each session has ended; null where it lives. */
export const endedBy = ({ rows }: End) => rows('Sessions').map((row) => row.endedBy ?? null);
export const noticed = (end: End) => mailsOf(end, 'session-reused').length;
