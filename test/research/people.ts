import { type Answer, client } from '../api.ts';
import { definition } from './study.ts';

/** Studies of a test's own, with people in them, on the shared stage. */

export async function researcher() {
  return client({ application: 'medinfo', roles: 'researcher' });
}

export type Researcher = Awaited<ReturnType<typeof researcher>>;

export const studies = '/research/studies';
export const studyPath = (studyId: string) => `${studies}/${studyId}`;
export const own = '/users/me/studies';
export const agreeing = '/agreements/versions/research-data-1.0/agree';
export const revoking = '/users/agreements/research-data/consent';

export async function newStudy(by: Researcher, part: object = {}) {
  return accepted(by.post(studies, { body: { ...definition, ...part } }));
}

export async function move(by: Researcher, studyId: string, to: string): Promise<Answer> {
  const { headers } = await by.get(studyPath(studyId));
  return by.post(`${studyPath(studyId)}/transition`, {
    headers: { 'If-Match': headers.get('etag') ?? '' },
    body: { to },
  });
}

/** A study that takes in participants, and its code. */
export async function openStudy(by: Researcher, part: object = {}): Promise<{ studyId: string; code: string }> {
  const { studyId } = await newStudy(by, part);
  const { code } = await accepted(by.post(`${studyPath(studyId)}/code`));
  await accepted(move(by, studyId, 'recruiting'));
  return { studyId, code };
}

/** A patient who consents to research. */
export async function consenting() {
  const patient = await client();
  await accepted(patient.post(agreeing));
  return patient;
}

/** @throws an Error where the request was refused: what is tested would not be there */
export async function accepted(answer: Promise<Answer>) {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}
