import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { keepDiary, write } from './diary-in-berlin.ts';
import { screeningAnswers } from './screening.ts';
import {
  answered,
  type Clinic,
  guideThemselves,
  hopeless,
  measured,
  mood,
  ownWindow,
  proposalOf,
  releaseOf,
  releaseOwn,
  replaceOf,
  screen,
  site,
  withdrawOf,
} from './therapy-people.ts';

/** A programme in which a screening takes the place of the physician. */
export function screenedWindows(placeOf: () => Clinic, week: string): void {
  async function selfGuided(nights: object = {}) {
    const place = placeOf();
    const patient = await place.stage.patientAt(site);
    await keepDiary(patient, week, 5, nights);
    const { end } = await guideThemselves(place, patient);
    const { proposalId } = await proposalOf(place, patient);
    return { place, patient, proposalId, end };
  }
  /** With everything that a release by the patient needs but the screening. */
  async function ready() {
    const guided = await selfGuided();
    await measured(guided.patient);
    return guided;
  }
  const byPhysician = (...because: string[]) => ({
    status: 409,
    body: { code: 'SLEEP_WINDOW_BY_PHYSICIAN', detail: { because } },
  });

  test('the patient releases it after the screening, once; reading it releases nothing', async () => {
    const { patient, proposalId } = await selfGuided();
    const named = { questionnaireId: 'sleep-window-screening', version: '2.0' };
    expect(await ownWindow(patient)).toMatchObject({
      status: 'none',
      proposal: null,
      release: {
        by: 'screening',
        because: [{ code: 'SCREENING_NEEDED' }, { code: 'MEASUREMENT_NEEDED' }],
        screening: named,
      },
    });
    expect(await releaseOwn(patient, proposalId)).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_SCREENING_NEEDED', detail: named },
    });
    await screen(patient);
    expect(await releaseOwn(patient, proposalId)).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_MEASUREMENT_NEEDED', detail: { questionnaireIds: ['ess', 'phq-9'] } },
    });
    expect(await ownWindow(patient)).toMatchObject({
      proposal: null,
      release: { because: [{ code: 'MEASUREMENT_NEEDED' }] },
    });
    await measured(patient);
    const { status, proposal, release } = await ownWindow(patient);
    expect([status, release.by, release.because]).toEqual(['none', 'screening', []]);
    expect(proposal).toMatchObject({ proposalId, because: [{ code: 'FIRST_WINDOW' }] });
    expect((await releaseOwn(patient, randomUUID())).body).toMatchObject({
      code: 'SLEEP_WINDOW_CHANGED',
      detail: { proposalId },
    });
    const answers = await Promise.all(Array.from({ length: 4 }, () => releaseOwn(patient, proposalId)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ sequence: 1, by: 'screening', minutes: proposal.minutes });
    expect(await ownWindow(patient)).toMatchObject({ status: 'active', window: { by: 'screening' }, proposal: null });
  });

  test('in a programme of physicians the patient releases nothing, whatever the screening says, and sees no proposal', async () => {
    const place = placeOf();
    const patient = await place.stage.patientAt(site);
    await keepDiary(patient, week, 5);
    await screen(patient);
    const { proposalId } = await proposalOf(place, patient);
    expect(await ownWindow(patient)).toMatchObject({
      proposal: null,
      release: { by: 'physician', because: [{ code: 'PROGRAMME_BY_PHYSICIAN' }] },
    });
    expect(await releaseOwn(patient, proposalId)).toMatchObject(byPhysician('PROGRAMME_BY_PHYSICIAN'));
    expect((await releaseOf(place, patient, { proposalId })).body).toMatchObject({ by: 'physician' });
  });

  test('when staff has ended the entitlement, a physician releases it', async () => {
    const { patient, proposalId, end } = await selfGuided();
    await screen(patient);
    expect((await end()).status).toBe(200);
    expect(await releaseOwn(patient, proposalId)).toMatchObject(byPhysician('PROGRAMME_BY_PHYSICIAN'));
  });

  test('an excluding answer leads to the physician, who can release it; a correction leads back', async () => {
    const { place, patient, proposalId } = await ready();
    const path = await screen(patient, { pregnancy: 'yes' });
    expect(await releaseOwn(patient, proposalId)).toMatchObject(byPhysician('SCREENING_EXCLUDES'));
    const { body } = await place.doctor.ask('GET', `/users/${patient.user}/sleep/window`);
    expect(body).toMatchObject({ proposal: { minutes: 350 }, release: { because: [{ code: 'SCREENING_EXCLUDES' }] } });
    // A physician who saw the proposal before this answer must look again.
    expect((await releaseOf(place, patient, { proposalId })).body).toMatchObject({
      code: 'SLEEP_WINDOW_CHANGED',
      detail: { proposalId: body.proposal.proposalId },
    });
    const corrected = { responseId: randomUUID(), answers: screeningAnswers() };
    expect((await patient.ask('POST', `${path}/amend`, { body: corrected })).status).toBe(200);
    const { proposal } = await ownWindow(patient);
    expect((await releaseOwn(patient, proposal.proposalId)).body).toMatchObject({ by: 'screening' });
    expect(await ownWindow(patient)).toMatchObject({ status: 'active', suspendedBecause: [] });
    // After a later exclusion the patient must not follow the window, until a physician says so; not after other answers.
    await screen(patient, { frailty: 'unsure' });
    await screen(patient);
    expect(await ownWindow(patient)).toMatchObject({
      status: 'suspended',
      tonight: { inBedAt: null, outOfBedAt: null, text: expect.stringMatching(/^Your sleep window is paused\./) },
      suspendedBecause: [{ code: 'SCREENING_EXCLUDES' }],
    });
    const { minutes } = (await ownWindow(patient)).window;
    const { suspensionId } = await ownWindow(patient);
    // Another sign than the one that the physician has seen.
    await answered(patient, { ...mood, answers: phq9(0, 3) });
    expect(await releaseOf(place, patient, { replaces: 1, minutes, suspensionId })).toMatchObject({
      status: 409,
      body: {
        code: 'SLEEP_SUSPENSION_NOT_CONFIRMED',
        detail: { because: ['SCREENING_EXCLUDES', 'MOOD_NEEDS_PHYSICIAN'] },
      },
    });
    const kept = await replaceOf(place, patient, { replaces: 1, minutes });
    expect(kept.body).toMatchObject({ sequence: 2, by: 'physician', minutes });
    expect((await releaseOf(place, patient, { replaces: 1, minutes })).body).toEqual(kept.body);
    expect(await ownWindow(patient)).toMatchObject({ status: 'active', suspendedBecause: [] });
  });

  test('a release raced with an excluding answer: whichever is first, the patient must not follow a window afterwards', async () => {
    const { patient, proposalId } = await ready();
    const path = await screen(patient);
    const excluded = { responseId: randomUUID(), answers: screeningAnswers({ seizures: 'yes' }) };
    const [answer, amended] = await Promise.all([
      releaseOwn(patient, proposalId),
      patient.ask('POST', `${path}/amend`, { body: excluded }),
    ]);
    expect([200, 409]).toContain(answer?.status);
    expect(amended.status).toBe(200);
    const isReleased = answer?.status === 200;
    expect(await ownWindow(patient)).toMatchObject({
      status: isReleased ? 'suspended' : 'none',
      tonight: isReleased ? { inBedAt: null } : null,
      release: { by: 'physician', because: [{ code: 'SCREENING_EXCLUDES' }] },
    });
  });

  test('an open flag suspends it for the patient as for the physician', async () => {
    const { patient, proposalId } = await ready();
    await screen(patient);
    await answered(patient, hopeless);
    expect(await releaseOwn(patient, proposalId)).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_SUSPENDED', detail: { because: ['OPEN_FLAG'] } },
    });
    expect((await ownWindow(patient)).proposal).toBeNull();
  });

  test('a low mood leads to the physician, and suspends what the patient released', async () => {
    const { place, patient, proposalId } = await ready();
    await screen(patient);
    expect((await releaseOwn(patient, proposalId)).status).toBe(200);
    const path = await answered(patient, { ...mood, answers: phq9(0, 3) });
    // A repetition does not tell the times of a window that is suspended by now.
    expect(await releaseOwn(patient, proposalId)).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_SUSPENDED', detail: { because: ['MOOD_NEEDS_PHYSICIAN'] } },
    });
    const held = {
      status: 'suspended',
      suspendedBecause: [{ code: 'MOOD_NEEDS_PHYSICIAN' }],
      release: { by: 'physician', because: [{ code: 'MOOD_NEEDS_PHYSICIAN' }] },
    };
    expect(await ownWindow(patient)).toMatchObject(held);
    // Neither another answer nor a correction brings it back.
    await answered(patient, mood);
    const corrected = { responseId: randomUUID(), answers: mood.answers };
    expect((await patient.ask('POST', `${path}/amend`, { body: corrected })).status).toBe(200);
    expect(await ownWindow(patient)).toMatchObject(held);
    expect((await replaceOf(place, patient, { replaces: 1, minutes: 400 })).status).toBe(200);
    expect((await ownWindow(patient)).status).toBe('active');
  });

  test('after a physician took a window back, only a physician prescribes again', async () => {
    const { place, patient, proposalId } = await ready();
    await screen(patient);
    const { releasedAt } = (await releaseOwn(patient, proposalId)).body;
    const { withdrawnAt } = (await withdrawOf(place, patient, 1)).body;
    const [userId, { stage }] = [patient.user, place];
    await eventually(async () => {
      expect(await stage.events('SleepWindowReleased', userId)).toEqual([{ userId, sequence: 1, releasedAt }]);
      expect(await stage.events('SleepWindowWithdrawn', userId)).toEqual([{ userId, sequence: 1, withdrawnAt }]);
    });
    const next = await proposalOf(place, patient);
    expect(await releaseOwn(patient, next.proposalId)).toMatchObject(byPhysician('WITHDRAWN_BY_PHYSICIAN'));
    expect(await ownWindow(patient)).toMatchObject({ status: 'none', proposal: null });
    expect((await releaseOf(place, patient, { proposalId: next.proposalId })).status).toBe(200);
  });

  test('too few nights release nothing', async () => {
    const place = placeOf();
    const patient = await place.stage.signedIn('patient', 'sleepcare');
    await guideThemselves(place, patient);
    await screen(patient);
    await measured(patient);
    await write(patient, week);
    expect(await releaseOwn(patient, randomUUID())).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_NOT_DUE', detail: { waitingFor: 'TOO_FEW_NIGHTS', nights: 1 } },
    });
  });
}
