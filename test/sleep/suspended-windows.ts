import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { keepDiary, write } from './diary-in-berlin.ts';
import {
  answered,
  type Clinic,
  drafted,
  hopeless,
  measured,
  onFlag,
  ownWindow,
  proposalOf,
  releaseOf,
  replaceOf,
  site,
  sleepiness,
  windowOf,
  withdrawOf,
} from './therapy-people.ts';

/** Reasons that suspend a window, while the diary of the week would allow one. */
export function suspendedWindows(placeOf: () => Clinic, week: string): void {
  async function withDiary() {
    const place = placeOf();
    const patient = await place.stage.patientAt(site);
    await keepDiary(patient, week, 5);
    const { proposalId } = await proposalOf(place, patient);
    return { place, patient, proposalId };
  }

  test('409: a flag is not cleared; sleepiness is for the physician to decide', async () => {
    const { place, patient, proposalId } = await withDiary();
    await answered(patient, sleepiness(11));
    await answered(patient, hopeless);
    expect(await releaseOf(place, patient, { proposalId })).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_SUSPENDED', detail: { because: ['OPEN_FLAG'] } },
    });
    expect((await ownWindow(patient)).suspendedBecause).toMatchObject([{ code: 'SLEEPINESS' }, { code: 'OPEN_FLAG' }]);
    expect(await proposalOf(place, patient)).toBeNull();
    // Seen is not cleared.
    const flagId = await onFlag(place, patient, 'acknowledge');
    expect((await ownWindow(patient)).suspendedBecause).toMatchObject([
      { code: 'SLEEPINESS' },
      { code: 'FLAG_SEEN', text: expect.stringContaining('Somebody has seen your answers') },
    ]);
    expect((await releaseOf(place, patient, { proposalId })).body.detail).toEqual({ because: ['FLAG_SEEN'] });
    const ended = `/users/${patient.user}/questionnaires/flags/${flagId}/outcome`;
    for (const outcome of ['referred', 'cleared']) {
      expect((await ownWindow(patient)).suspendedBecause).toHaveLength(2);
      expect((await place.doctor.ask('POST', ended, { body: { outcome } })).body).toMatchObject({ outcome });
    }
    // The physician has seen another proposal, before the patient was sleepy.
    expect((await releaseOf(place, patient, { proposalId })).body.code).toBe('SLEEP_WINDOW_CHANGED');
    const seen = await proposalOf(place, patient);
    expect((await releaseOf(place, patient, { proposalId: seen.proposalId })).status).toBe(200);
    expect(await ownWindow(patient)).toMatchObject({ status: 'active', suspendedBecause: [] });
    await answered(patient, hopeless);
    expect(await ownWindow(patient)).toMatchObject({
      status: 'suspended',
      window: { sequence: 1 },
      tonight: {
        ...{ inBedAt: null, outOfBedAt: null },
        text: expect.stringMatching(
          /^We would like somebody to look at your answers first\. Your sleep window is paused\./,
        ),
      },
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
    expect(text).toContain('Suspended: We would like somebody to look at your answers first.');
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
    const isReleased = answer?.status === 200;
    expect(await ownWindow(patient)).toMatchObject({
      status: isReleased ? 'suspended' : 'none',
      tonight: { inBedAt: null, text: expect.stringContaining(isReleased ? 'is paused' : 'You have no sleep window') },
      suspendedBecause: [{ code: 'OPEN_FLAG' }],
    });
    expect(await proposalOf(place, patient)).toBeNull();
  });

  test('a release raced with a sleepy answer: the patient follows no window whose decision did not know it', async () => {
    const { place, patient, proposalId } = await withDiary();
    const path = await drafted(patient, sleepiness(12));
    const [answer, completed] = await Promise.all([
      releaseOf(place, patient, { proposalId }),
      patient.ask('POST', `${path}/complete`),
    ]);
    expect([200, 409]).toContain(answer?.status);
    expect(completed.status).toBe(200);
    expect(await ownWindow(patient)).toMatchObject({
      status: answer?.status === 200 ? 'suspended' : 'none',
      suspendedBecause: [{ code: 'SLEEPINESS' }],
    });
  });

  test('a sleepy answer suspends the window in each of its versions; a physician replaces it, with the same times too', async () => {
    const { place, patient, proposalId } = await withDiary();
    expect((await releaseOf(place, patient, { proposalId })).status).toBe(200);
    const path = await answered(patient, sleepiness(5));
    const amend = async (amended: string, total: number) => {
      const body = { responseId: randomUUID(), answers: sleepiness(total).answers };
      expect((await patient.ask('POST', `${amended}/amend`, { body })).status).toBe(200);
      return `/questionnaires/responses/${body.responseId}`;
    };
    const paused = { status: 'suspended', suspendedBecause: [{ code: 'SLEEPINESS' }], tonight: { inBedAt: null } };
    expect((await ownWindow(patient)).status).toBe('active');
    const higher = await amend(path, 11);
    expect(await ownWindow(patient)).toMatchObject(paused);
    await amend(higher, 4);
    await answered(patient, sleepiness(3));
    expect(await ownWindow(patient)).toMatchObject(paused);
    const { minutes } = (await ownWindow(patient)).window;
    const { suspensionId } = await ownWindow(patient);
    const replace = (seen: string | undefined) =>
      releaseOf(place, patient, { replaces: 1, minutes, suspensionId: seen });
    const notSeen = { status: 409, body: { code: 'SLEEP_SUSPENSION_NOT_CONFIRMED' } };
    expect(await replace(undefined)).toMatchObject(notSeen);
    // Another sign of the same kind comes just before the physician's decision.
    await answered(patient, sleepiness(18));
    const refused = await replace(suspensionId);
    expect(refused).toMatchObject({ ...notSeen, body: { detail: { because: ['SLEEPINESS'] } } });
    expect(await ownWindow(patient)).toMatchObject(paused);
    const seen = refused.body.detail.suspensionId;
    expect((await place.doctor.ask('GET', windowOf(patient))).body.suspensionId).toBe(seen);
    const twice = await Promise.all([1, 2].map(() => replace(seen)));
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    expect(await ownWindow(patient)).toMatchObject({
      status: 'active',
      suspensionId: null,
      window: { sequence: 2, minutes },
    });
    // A repetition does not tell the times of a window that is suspended by now.
    await answered(patient, sleepiness(12));
    expect(await replace(seen)).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_SUSPENDED', detail: { because: ['SLEEPINESS'] } },
    });
    expect((await ownWindow(patient)).status).toBe('suspended');
  });

  test('who nodded off follows no window, whatever becomes of the entry', async () => {
    const { place, patient, proposalId } = await withDiary();
    expect((await releaseOf(place, patient, { proposalId })).status).toBe(200);
    const path = `/sleep/entries/${week}`;
    expect((await write(patient, week, { noddedOff: true })).body).toMatchObject({ noddedOff: true });
    const paused = { status: 'suspended', suspendedBecause: [{ code: 'SLEEPINESS' }] };
    expect(await ownWindow(patient)).toMatchObject(paused);
    expect((await write(patient, week, { noddedOff: false })).body).toMatchObject({ noddedOff: false });
    expect((await patient.ask('DELETE', path)).body).toMatchObject({ deleted: true });
    expect(await ownWindow(patient)).toMatchObject(paused);
    const { minutes } = (await ownWindow(patient)).window;
    let sequence = 1;
    /** The physician decides; then the write suspends the window once, and not again when it is sent again. */
    const suspendsOnce = async (send: () => Promise<unknown>) => {
      await send();
      expect(await ownWindow(patient)).toMatchObject(paused);
      expect((await replaceOf(place, patient, { replaces: sequence, minutes })).status).toBe(200);
      sequence += 1;
      await send();
      expect(await ownWindow(patient)).toMatchObject({ status: 'active', window: { sequence } });
    };
    await suspendsOnce(() => write(patient, week, { noddedOff: true }));
    // The same night again: with other content, and after it was taken back.
    await suspendsOnce(() => write(patient, week, { noddedOff: true, quality: 2 }));
    await write(patient, week, { noddedOff: false, quality: 2 });
    await suspendsOnce(() => write(patient, week, { noddedOff: true, quality: 2 }));
    // An entry that loses against another phone's says it, too.
    const other = addDays(week, -1);
    await suspendsOnce(async () => {
      const lost = { noddedOff: true, recordedAt: `${other}T06:00:00.000Z` };
      expect((await write(patient, other, lost)).body).toMatchObject({ noddedOff: null, outcome: 'superseded' });
    });
    // So does one that is refused because of another field, unless its date cannot be right.
    const nap = { start: `${other}T11:00:00.000Z`, end: `${other}T12:00:00.000Z` };
    await suspendsOnce(async () => {
      expect((await write(patient, other, { noddedOff: true, naps: [nap, nap] })).status).toBe(400);
    });
    expect((await write(patient, addDays(week, 2), { noddedOff: true })).status).toBe(400);
    expect((await write(patient, addDays(week, -40), { noddedOff: true })).status).toBe(400);
    expect((await ownWindow(patient)).status).toBe('active');
    expect((await write(patient, other)).body).toMatchObject({ noddedOff: null });
  });

  test('409: what the patient has not answered must be confirmed by the physician, who sees it', async () => {
    const { place, patient, proposalId } = await withDiary();
    const { body } = await place.doctor.ask('GET', windowOf(patient));
    expect(body.release.measurements).toEqual([
      { questionnaireId: 'ess', status: 'not-answered', completedAt: null },
      { questionnaireId: 'phq-9', status: 'not-answered', completedAt: null },
    ]);
    const release = (...confirmNotAnswered: string[]) => releaseOf(place, patient, { proposalId, confirmNotAnswered });
    expect(await release('ess')).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_MEASUREMENT_NOT_CONFIRMED', detail: { questionnaireIds: ['phq-9'] } },
    });
    await measured(patient);
    expect((await release()).body).toMatchObject({ sequence: 1, ruleVersion: '2' });
    const seen = (await place.doctor.ask('GET', windowOf(patient))).body.release.measurements;
    expect(seen.map(({ status }: { status: string }) => status)).toEqual(['answered', 'answered']);
  });
}
