import { type Answer, call } from '../api.ts';
import { codeOf, newAddress } from '../mails.ts';

export const password = 'a-long-first-passphrase';

/** Signs up, with the code of the mail. @returns the address */
export async function newAccount(email = newAddress(), chosen = password): Promise<string> {
  const asked = await call('POST', '/users', { body: { email, locale: 'de-DE', timezone: 'Europe/Berlin' } });
  if (asked.status !== 202) throw new Error(`no sign-up: ${JSON.stringify(asked.body)}`);
  const made = await call('POST', '/users/verify', {
    body: { email, code: await codeOf(1, email), password: chosen, birthYear: 1980 },
  });
  if (made.status !== 200) throw new Error(`no account: ${JSON.stringify(made.body)}`);
  return email;
}

export type Device = { readonly accessToken: string; readonly refreshToken: string };

export function trySignIn(email: string, chosen = password, more: object = {}): Promise<Answer> {
  return call('POST', '/auth/tokens', { body: { grantType: 'password', username: email, password: chosen, ...more } });
}

export async function signInOn(
  deviceName: string,
  email: string,
  chosen = password,
  more: object = {},
): Promise<Device> {
  const answer = await trySignIn(email, chosen, { deviceName, appVersion: '2.4.1', ...more });
  if (answer.status !== 200) throw new Error(`no sign-in: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export function renew(refreshToken: string): Promise<Answer> {
  return call('POST', '/auth/tokens', { body: { grantType: 'refresh_token', refreshToken } });
}
