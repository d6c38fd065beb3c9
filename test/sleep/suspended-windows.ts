import { expect, test } from 'vitest';
import { keepDiary } from './diary-in-berlin.ts';
import {
  acknowledgeFlags,
  answered,
  drafted,
  hopeless,
  ownWindow,
  type Place,
  proposalOf,
  releaseOf,
  site,
  sleepiness,
  withdrawOf,
} from './therapy-people.ts';

/** Reasons that suspend a window, while the diary of the week would allow one. */
export function suspendedWindows(placeOf: () => Place, week: string): void {
  async function withDiary() {
    const place = placeOf();
    const patient = await place.stage.patientAt(site);
    await keepDiary(patient, week, 5);
    const { proposalId } = await proposalOf(place, patient);
    return { place, patient, proposalId };
  }

  test('409: too sleepy, or a flag is open, until that has passed', async () => {
    const { place, patient, proposalId } = await withDiary();
    await answered(patient, sleepiness(11));
    await answered(patient, hopeless);
    expect(await releaseOf(place, patient, { proposalId })).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_SUSPENDED', detail: { because: ['SLEEPINESS', 'OPEN_FLAG'] } },
    });
    expect(await proposalOf(place, patient)).toBeNull();
    await answered(patient, sleepiness(10));
    await acknowledgeFlags(place, patient);
    expect((await releaseOf(place, patient, { proposalId })).status).toBe(200);
    await answered(patient, hopeless);
    expect(await ownWindow(patient)).toMatchObject({
      status: 'suspended',
      window: { sequence: 1 },
      tonight: null,
      suspendedBecause: [{ code: 'OPEN_FLAG' }],
    });
    // Nobody can prescribe other times then, but the prescribed window can be taken back.
    const replaced = await releaseOf(place, patient, { replaces: 1, minutes: 400 });
    expect(replaced.body.code).toBe('SLEEP_WINDOW_SUSPENDED');
    expect((await withdrawOf(place, patient, 1)).status).toBe(200);
    const { status, next } = await ownWindow(patient);
    expect([status, next.waitingFor.code]).toEqual(['none', 'OPEN_FLAG']);
    const report = `/users/${patient.user}/sleep/report?from=${week}&to=${week}&locale=en`;
    const { text } = await place.doctor.ask('GET', report, { headers: { Accept: 'text/html' } });
    expect(text).toContain('Suspended: An answer in a questionnaire');
    expect(text).toContain('No window was released.');
    expect(text).toContain('<th>TASAFA</th>');
  });

  test('a release raced with a flag: whichever is first, the patient must not follow a window afterwards', async () => {
    const { place, patient, proposalId } = await withDiary();
    const path = await drafted(patient, hopeless);
    const [answer, raised] = await Promise.all([
      releaseOf(place, patient, { proposalId }),
      patient.ask('POST', `${path}/complete`),
    ]);
    expect([200, 409]).toContain(answer?.status);
    expect(raised.status).toBe(200);
    expect(await ownWindow(patient)).toMatchObject({
      status: answer?.status === 200 ? 'suspended' : 'none',
      tonight: null,
      suspendedBecause: [{ code: 'OPEN_FLAG' }],
    });
    expect(await proposalOf(place, patient)).toBeNull();
  });
}
