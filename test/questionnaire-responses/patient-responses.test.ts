import { describe, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
import { admin, agreeing, newSite, type Patient, patientAt, physicianAt, revoking } from '../crm-sites/people.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** A patient's responses, as the staff of the patient's site reads them. */

const chief = await admin();
const site = await newSite(chief);
const doctor = await physicianAt(chief, [site]);

const pathOf = ({ user }: { user: string }) => `/users/${user}/questionnaires/responses`;
const own = '/questionnaires/responses';

async function complete(patient: Patient, id: string, item9 = 0) {
  const body = { questionnaireId: 'phq-9', version: '1.1', answers: phq9(item9) };
  await patient.put(`${own}/${id}`, { body });
  const { status } = await patient.post(`${own}/${id}/complete`);
  expect(status).toBe(200);
}

describe('200', () => {
  test('completed responses, newest first, as in the patient’s own list; each look is in the log', async () => {
    const patient = await patientAt([site], { isSharing: true });
    await complete(patient, 'one');
    await complete(patient, 'two');
    await patient.put(`${own}/draft`, { body: { questionnaireId: 'phq-9', version: '1.1', answers: [] } });
    const { status, body } = await doctor.get(pathOf(patient));
    expect(status).toBe(200);
    expect(body).toEqual((await patient.get(own)).body);
    expect(body.items.map(({ responseId }: { responseId: string }) => responseId)).toEqual(['two', 'one']);
    expect(body.items[0].scores).toMatchObject([{ scoreId: 'total' }]);
    expect(await ownLooks(patient)).toMatchObject([
      {
        action: 'GET /users/{userId}/questionnaires/responses',
        relation: 'care',
        site: { siteId: site.siteId },
        consent: { agreementId: 'data-sharing' },
      },
    ]);
  });

  test('by questionnaire, by time, and page by page', async () => {
    const patient = await patientAt([site], { isSharing: true });
    await complete(patient, 'one');
    await complete(patient, 'two');
    const idsOf = async (query: string) => {
      const { body } = await doctor.get(`${pathOf(patient)}?${query}`);
      return [body.items.map(({ responseId }: { responseId: string }) => responseId), body.metadata.nextCursor];
    };
    expect(await idsOf('questionnaireId=phq-9')).toEqual([['two', 'one'], null]);
    expect(await idsOf('questionnaireId=gad-7')).toEqual([[], null]);
    expect(await idsOf('to=2020-01-01T00:00:00Z')).toEqual([[], null]);
    const [first, cursor] = await idsOf('limit=1&from=2020-01-01T00:00:00Z');
    expect(first).toEqual(['two']);
    expect(await idsOf(`limit=1&from=2020-01-01T00:00:00Z&cursor=${encodeURIComponent(cursor)}`)).toEqual([
      ['one'],
      null,
    ]);
    // A page of one patient's leads nowhere in another's.
    const other = await patientAt([site], { isSharing: true });
    const foreign = await doctor.get(`${pathOf(other)}?limit=1&cursor=${encodeURIComponent(cursor)}`);
    expect(foreign.body.items ?? []).toEqual([]);
  });
});

test('403: without the consent, also after it was revoked; nothing is logged as a look', async () => {
  const patient = await patientAt([site]);
  await complete(patient, 'one');
  const refused = { status: 403, body: { code: 'CONSENT_REQUIRED', detail: { agreementId: 'data-sharing' } } };
  expect(await doctor.get(pathOf(patient))).toMatchObject(refused);
  await patient.post(agreeing);
  expect((await doctor.get(pathOf(patient))).status).toBe(200);
  await patient.delete(revoking);
  expect(await doctor.get(pathOf(patient))).toMatchObject(refused);
  expect(await ownLooks(patient)).toHaveLength(1);
});

test('404: a patient of another site, a patient of no site, and an unknown user', async () => {
  const patients = [
    await patientAt([await newSite(chief)], { isSharing: true }),
    await patientAt([], { isSharing: true }),
  ];
  for (const { user } of [...patients, { user: 'nobody' }]) {
    const answer = await doctor.get(pathOf({ user }));
    expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND', detail: null } });
  }
  for (const patient of patients) expect(await ownLooks(patient)).toEqual([]);
});
