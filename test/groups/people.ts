import { type Answer, client } from '../api.ts';

/** Groups of a test's own, with people in them, on the shared stage. */

export async function admin() {
  return client({ application: 'medinfo', roles: 'admin' });
}

export type Admin = Awaited<ReturnType<typeof admin>>;

export type Group = { groupId: string; name: string; kind: string };

export async function newGroup(by: Admin, kind = 'patients'): Promise<Group> {
  return accepted(by.post('/groups', { body: { name: 'Pilot', kind } }));
}

/** A patient who has started the app, in these groups. */
export async function patientIn(by: Admin, ...groups: readonly Group[]) {
  const patient = await client();
  await accepted(patient.get('/users/me'));
  for (const group of groups) await accepted(by.put(memberPath(group, patient.user)));
  return patient;
}

export const groupPath = ({ groupId }: Pick<Group, 'groupId'>) => `/groups/${groupId}`;
export const memberPath = (group: Group, user: string) => `${groupPath(group)}/members/${user}`;
export const messagesPath = (group: Group) => `${groupPath(group)}/messages`;

/** @throws an Error where the request was refused: what is tested would not be there */
export async function accepted(answer: Promise<Answer>) {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}
