import { randomUUID } from 'node:crypto';
import { client } from '../api.ts';

/** A patient who has started the app, and staff who write. */

export async function patient(user: string = randomUUID()) {
  const signedIn = await client({ user });
  await signedIn.get('/users/me');
  return signedIn;
}

export type Patient = Awaited<ReturnType<typeof patient>>;

export function agent() {
  return client({ application: 'medinfo', roles: 'agent' });
}

export type Agent = Awaited<ReturnType<typeof agent>>;

export const board = '/agent-board/messages';
export const boardOf = ({ user }: { user: string }) => `/users/${user}/agent-board/messages`;
export const readingOf = (messageId: string) => `${board}/${messageId}/read`;

/** Posted one after the other; their ids, oldest first. */
export async function posted(to: Patient, by: Agent, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 1; index <= count; index += 1) {
    const { body } = await by.post(boardOf(to), { body: { title: `Title ${index}`, body: `Text ${index}` } });
    ids.push(body.messageId);
  }
  return ids;
}
