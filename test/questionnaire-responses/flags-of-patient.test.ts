import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
import {
  admin,
  newSite,
  type Patient,
  type Physician,
  patientAt,
  physicianAt,
  type Site,
} from '../crm-sites/people.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** A patient's flags, as a physician of the patient's site ends them. */

let site: Site;
let doctor: Physician;
beforeAll(async () => {
  const chief = await admin();
  site = await newSite(chief);
  doctor = await physicianAt(chief, [site]);
});

const pathOf = ({ user }: { user: string }) => `/users/${user}/questionnaires/flags`;

async function flagged(patient: Patient) {
  const path = `/questionnaires/responses/${randomUUID()}`;
  await patient.put(path, { body: { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1) } });
  expect((await patient.post(`${path}/complete`)).status).toBe(200);
}

test('a physician finds them page by page, ends one, and both looks are in the log', async () => {
  const patient = await patientAt([site], { isSharing: true });
  await flagged(patient);
  await flagged(patient);
  const first = await doctor.get(`${pathOf(patient)}?limit=1`);
  const next = await doctor.get(`${pathOf(patient)}?limit=1&cursor=${first.body.metadata.nextCursor}`);
  const [flag, other] = [first.body.items[0], next.body.items[0]];
  expect([flag.outcome, other.outcome, flag.flagId < other.flagId]).toEqual([null, null, true]);
  const ended = `${pathOf(patient)}/${flag.flagId}/outcome`;
  const twice = await Promise.all([1, 2].map(() => doctor.post(ended, { body: { outcome: 'cleared' } })));
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect(twice[0]?.body).toEqual(twice[1]?.body);
  expect(await doctor.post(ended, { body: { outcome: 'referred' } })).toMatchObject({
    status: 409,
    body: { code: 'QUESTIONNAIRE_FLAG_ENDED', detail: { outcome: 'cleared' } },
  });
  expect((await patient.get('/sleep/window')).body.suspendedBecause).toMatchObject([{ code: 'OPEN_FLAG' }]);
  await doctor.post(`${pathOf(patient)}/${other.flagId}/outcome`, { body: { outcome: 'referred' } });
  expect((await patient.get('/sleep/window')).body.suspendedBecause).toMatchObject([{ code: 'FLAG_SEEN' }]);
  await doctor.post(`${pathOf(patient)}/${other.flagId}/outcome`, { body: { outcome: 'cleared' } });
  expect((await patient.get('/sleep/window')).body.suspendedBecause).toEqual([]);
  const actions = (await ownLooks(patient)).map(({ action }) => action);
  // The refused outcome is one of them, because it says which one is recorded.
  const ending = 'POST /users/{userId}/questionnaires/flags/{flagId}/outcome';
  expect(actions.filter((action) => action === ending)).toHaveLength(5);
  expect(new Set(actions)).toContain('GET /users/{userId}/questionnaires/flags');
});

test('the patient reads what became of the flags: nobody has looked, nobody was reached, somebody takes care of it', async () => {
  const patient = await patientAt([site], { isSharing: true });
  for (let several = 0; several < 3; several += 1) await flagged(patient);
  const { items } = (await doctor.get(pathOf(patient))).body;
  const codes = async () =>
    (await patient.get('/sleep/window')).body.suspendedBecause.map(({ code }: { code: string }) => code);
  const end = async (index: number, outcome: string) => {
    const path = `${pathOf(patient)}/${items[index].flagId}/outcome`;
    expect((await doctor.post(path, { body: { outcome } })).status).toBe(200);
    return codes();
  };
  expect(await end(0, 'referred')).toEqual(['OPEN_FLAG']);
  expect(await end(1, 'not-reached')).toEqual(['OPEN_FLAG']);
  expect(await end(2, 'referred')).toEqual(['FLAG_NOT_REACHED']);
  const { tonight } = (await patient.get('/sleep/window')).body;
  expect(tonight.text).toMatch(/^We could not reach you about your answers\. .* You have no sleep window at present\./);
  expect(await end(1, 'cleared')).toEqual(['FLAG_SEEN']);
  expect(await end(0, 'cleared')).toEqual(['FLAG_SEEN']);
  expect(await end(2, 'cleared')).toEqual([]);
});

test('404 without the relation, 403 without the consent, 404 for a flag of another patient', async () => {
  const [stranger, silent] = [await patientAt([]), await patientAt([site])];
  const [one, other] = [await patientAt([site], { isSharing: true }), await patientAt([site], { isSharing: true })];
  await flagged(one);
  const { flagId } = (await doctor.get(pathOf(one))).body.items[0];
  const end = (whose: { user: string }) =>
    doctor.post(`${pathOf(whose)}/${flagId}/outcome`, { body: { outcome: 'cleared' } });
  for (const [patient, status, code] of [
    [stranger, 404, 'USER_NOT_FOUND'],
    [silent, 403, 'CONSENT_REQUIRED'],
  ] as const) {
    expect(await doctor.get(pathOf(patient))).toMatchObject({ status, body: { code } });
    expect(await end(patient)).toMatchObject({ status, body: { code } });
  }
  expect(await end(other)).toMatchObject({ status: 404, body: { code: 'QUESTIONNAIRE_FLAG_NOT_FOUND' } });
  expect((await doctor.get(pathOf(one))).body.items).toMatchObject([{ outcome: null, acknowledgedAt: null }]);
});
