import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { adding, instrument, phq9 } from '../questionnaires/instruments.ts';
import { screeningDraft, selfGuided } from './screening.ts';
import type { Person, Stage } from './stage.ts';

/** What patients and staff do in a therapy, on a stage whose clock is set. */

export type Clinic = { readonly stage: Stage; readonly doctor: Person };

/** Of a site that shares with it. */
export const site = 'clinic';

export const windowOf = ({ user }: Person) => `/users/${user}/sleep/window`;

/** By a physician, who confirms that the patient has answered nothing. */
export const releaseOf = ({ doctor }: Clinic, patient: Person, body: object) =>
  doctor.ask('POST', `${windowOf(patient)}/release`, { body: { confirmNotAnswered: ['ess', 'phq-9'], ...body } });

/** Instead of the present window, by a physician who has seen why it is suspended. */
export async function replaceOf(place: Clinic, patient: Person, body: { replaces: number; minutes: number }) {
  const { suspensionId } = (await place.doctor.ask('GET', windowOf(patient))).body;
  return releaseOf(place, patient, { ...body, ...(suspensionId !== null && { suspensionId }) });
}

/** What a physician can release now. */
export const proposalOf = async ({ doctor }: Clinic, patient: Person) =>
  (await doctor.ask('GET', windowOf(patient))).body.proposal;

export const withdrawOf = ({ doctor }: Clinic, patient: Person, sequence: number) =>
  doctor.ask('POST', `${windowOf(patient)}/withdraw`, { body: { sequence } });

export const releaseOwn = (patient: Person, proposalId: string) =>
  patient.ask('POST', '/sleep/window/release', { body: { proposalId } });

export const ownWindow = async (patient: Person) => (await patient.ask('GET', '/sleep/window')).body;

/** @returns the path of a draft that only has to be completed */
export async function drafted(patient: Person, draft: object): Promise<string> {
  const path = `/questionnaires/responses/${randomUUID()}`;
  expect((await patient.ask('PUT', path, { body: draft })).status).toBe(200);
  return path;
}

export async function answered(patient: Person, draft: object): Promise<string> {
  const path = await drafted(patient, draft);
  expect((await patient.ask('POST', `${path}/complete`)).status).toBe(200);
  return path;
}

export const sleepiness = (total: number) => ({
  questionnaireId: 'ess',
  version: '1.0',
  answers: adding(instrument('ess'), total),
});

/** What a patient answers before a window. */
export const mood = { questionnaireId: 'phq-9', version: '1.1', answers: phq9(0) };

export async function measured(patient: Person) {
  await answered(patient, sleepiness(5));
  await answered(patient, mood);
}

/** Raises a flag. */
export const hopeless = { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1) };

/** Staff of `clinical-safety` do this to the patient's only open flag. @returns its id */
export async function onFlag({ stage }: Clinic, { user }: Person, what: 'acknowledge' | object): Promise<string> {
  const staff = await stage.signedIn('clinical-safety', 'medinfo');
  const { items } = (await staff.ask('GET', '/questionnaires/flags?limit=100')).body;
  const own = items.filter(({ userId }: { userId: string }) => userId === user);
  expect(own).toHaveLength(1);
  const path = `/questionnaires/flags/${own[0].flagId}`;
  const { status } =
    what === 'acknowledge'
      ? await staff.ask('POST', `${path}/acknowledge`)
      : await staff.ask('POST', `${path}/outcome`, { body: what });
  expect(status).toBe(200);
  return own[0].flagId;
}

/** Redeems a code of the programme in which a screening takes the place of the physician. */
export async function guideThemselves({ stage }: Clinic, patient: Person) {
  const staff = await stage.signedIn('admin', 'medinfo');
  const { body } = await staff.ask('POST', '/access-codes/batches', { body: selfGuided });
  const [issued] = body.codes;
  expect((await patient.ask('PATCH', '/users/me', { body: { birthYear: 1980 } })).status).toBe(200);
  expect((await patient.ask('POST', '/access-codes/redeem', { body: { code: issued.code } })).status).toBe(200);
  const end = () =>
    staff.ask('POST', `/access-codes/${issued.accessCodeId}/revoke`, { body: { endEntitlements: true } });
  return { end };
}

export const screen = (patient: Person, others: Readonly<Record<string, string>> = {}) =>
  answered(patient, screeningDraft(others));
