import assert from 'node:assert/strict';
import { type Call, type End, faultNames, type Person, type SetUp } from '../../../lib/explore/scenario.ts';

/** What the scenarios of signing in have in common. */

export const password = 'a-long-passphrase';
export const emailOf = ({ userId }: Person) => `${userId}@example.com`;
export const isAnswered = ({ answer }: Call) => ![0, 502, 503, 504].includes(answer.status);

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
  return tokenIn(answer);
}

export const sessionOf = (token: string) => token.split('.')[1] ?? '';

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

/** Whether Cognito renews it. */
export const livesInThePool = ({ outside, now }: End, token: string) => {
  const renewsIt = outside.tokens[token];
  return renewsIt === true || Number(renewsIt) > now;
};

/** For stories in which no transaction has the row of a session: nothing conflicts with it there. */
export const withoutConflict = faultNames.filter((name) => name !== 'conflict');
