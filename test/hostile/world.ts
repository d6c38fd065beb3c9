import { agent, board, boardOf, patient, posted } from '../agent-board/people.ts';
import { baseUrl, client, signIn } from '../api.ts';
import { openedBy } from '../support/people.ts';

/** Who and what the cases are about: tokens of several people, and what is another's. */

export type World = Awaited<ReturnType<typeof buildWorld>>;

export async function buildWorld() {
  const [own, other, staff] = await Promise.all([patient(), patient(), agent()]);
  await posted(other, staff, 2);
  const [messageOfOther] = (await other.get(board)).body.items;
  await other.put('/users/me/devices/others-phone', { body: phoneOf('b') });
  await own.put('/users/me/devices/own-phone', { body: phoneOf('c') });
  await own.put('/users/me/devices/own-tablet', { body: phoneOf('d') });
  const cursorOf = async (person: { get: typeof own.get }, path: string): Promise<string> =>
    (await person.get(`${path}?limit=1`)).body.metadata.nextCursor;
  const { ticketId: ticketOfOther } = await openedBy(other);
  const physician = await client({ application: 'medinfo', roles: 'physician' });
  return {
    origin: new URL(baseUrl()).origin,
    patient: own.token,
    other: other.token,
    agent: staff.token,
    physician: physician.token,
    admin: await signIn({ application: 'medinfo', roles: 'admin' }),
    developer: await signIn({ roles: 'developer', client: 'developer-tools' }),
    nobody: await signIn({ application: 'medinfo', roles: '' }),
    expired: await localToken({ user: 'late', roles: 'patient', application: 'sleepcare', expiresIn: '-60' }),
    otherUser: other.user,
    messageOfOther: String(messageOfOther.messageId),
    boardOfOther: boardOf(other),
    ticketOfOther: String(ticketOfOther),
    agreementsCursor: await cursorOf(own, '/users/agreements'),
    devicesCursor: await cursorOf(own, '/users/me/devices'),
    agreementsCursorOfOther: await cursorOf(other, '/users/agreements'),
    messagesCursorOfOther: await cursorOf(other, board),
    agreementsCursorOfPhysician: await cursorOf(physician, '/users/agreements'),
  };
}

function phoneOf(letter: string) {
  return {
    platform: 'android',
    token: letter.repeat(64),
    environment: 'production',
    appVersion: '1.0.0',
    locale: 'en',
  };
}

export async function localToken(query: Record<string, string>): Promise<string> {
  const answer = await fetch(new URL(`/_local/token?${new URLSearchParams(query)}`, baseUrl()));
  if (answer.status !== 200) throw new Error(`no token: ${await answer.text()}`);
  return answer.text();
}

/** A token's three parts with some of them changed; the signature stays, and fits no more. */
export function altered(token: string, change: { header?: object; payload?: object; signature?: string }): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const merged = (part: string, more: object = {}) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...more })).toString(
      'base64url',
    );
  return [merged(header, change.header), merged(payload, change.payload), change.signature ?? signature].join('.');
}
