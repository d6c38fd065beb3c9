import { expect, test } from 'vitest';
import { admin, newSite, ownSite, type Patient, patientAt, patientPath, physicianAt } from '../crm-sites/people.ts';
import { daysAgo, entryOf } from '../sleep/diary.ts';

/** The timeline over HTTP: whose cursor it takes, and what is changed while a physician reads on. */

const chief = await admin();
const site = await newSite(chief);
const doctor = await physicianAt(chief, [site]);

async function patientWith(...nights: number[]): Promise<Patient> {
  const patient = await patientAt([site], { isSharing: true });
  for (const night of nights) await write(patient, night);
  return patient;
}

async function write(patient: Patient, night: number): Promise<void> {
  const { status } = await patient.put(`/sleep/entries/${daysAgo(night)}`, { body: entryOf(daysAgo(night)) });
  if (status !== 200) throw new Error(`no entry: ${status}`);
}

const asked = (patient: Patient, cursor: string | null, limit = 1, by = doctor) =>
  by.get(`${patientPath(patient)}/timeline?limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);

/** All that follows. */
async function rest(patient: Patient, from: string | null): Promise<string[]> {
  const shown: string[] = [];
  for (let cursor = from; cursor !== null; ) {
    const { status, body }: Awaited<ReturnType<typeof asked>> = await asked(patient, cursor, 2);
    expect(status).toBe(200);
    shown.push(...body.items.map(({ eventId }: { eventId: string }) => eventId));
    cursor = body.metadata.nextCursor;
  }
  return shown;
}

test("400: a cursor of another patient's timeline, of a colleague, of another route, and one that was changed", async () => {
  const [one, other] = [await patientWith(1, 2), await patientWith(1, 2)];
  const colleague = await physicianAt(chief, [site]);
  const { nextCursor } = (await asked(one, null)).body.metadata;
  const ofList = (await doctor.get('/crm/patients?limit=1')).body.metadata.nextCursor;
  const refused = { status: 400, body: { code: 'INVALID_CURSOR' } };
  expect(await asked(other, nextCursor)).toMatchObject(refused);
  expect(await asked(one, nextCursor, 1, colleague)).toMatchObject(refused);
  expect(await asked(one, ofList)).toMatchObject(refused);
  expect(await asked(one, `${nextCursor.slice(0, -1)}${nextCursor.endsWith('A') ? 'B' : 'A'}`)).toMatchObject(refused);
  expect((await asked(one, nextCursor)).status).toBe(200);
});

test('what is deleted while somebody reads on is gone, what is added before it is passed over, and the rest is there once', async () => {
  const patient = await patientWith(2, 3, 5, 6);
  const first = await asked(patient, null, 2);
  expect(first.body.items.map(({ eventId }: { eventId: string }) => eventId)).toEqual([site.siteId, daysAgo(2)]);
  // The last one that was shown, which the cursor stands at, and one ahead; one that is newer, and one between.
  for (const night of [2, 5]) expect((await patient.delete(`/sleep/entries/${daysAgo(night)}`)).status).toBe(200);
  for (const night of [1, 4]) await write(patient, night);
  expect(await rest(patient, first.body.metadata.nextCursor)).toEqual([daysAgo(3), daysAgo(4), daysAgo(6)]);
  expect((await asked(patient, null, 100)).body.items.map(({ eventId }: { eventId: string }) => eventId)).toEqual([
    site.siteId,
    ...[1, 3, 4, 6].map((night) => daysAgo(night)),
  ]);
});

test('a patient who leaves while somebody reads on, and comes back: nothing in between, and nothing twice after', async () => {
  const patient = await patientWith(1, 2);
  const { nextCursor } = (await asked(patient, null)).body.metadata;
  await patient.delete(ownSite(site));
  expect(await asked(patient, nextCursor)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  await patient.post('/users/me/sites', { body: { code: site.code } });
  expect(await rest(patient, nextCursor)).toEqual([daysAgo(1), daysAgo(2)]);
});
