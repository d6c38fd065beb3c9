import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { keepDiary } from './diary-in-berlin.ts';
import { lateAnswers } from './late-answers.ts';
import { openStage, type Person, type Stage } from './stage.ts';
import {
  answered,
  type Clinic,
  guideThemselves,
  measured,
  mood,
  ownWindow,
  proposalOf,
  releaseOf,
  releaseOwn,
  screen,
  site,
  sleepiness,
} from './therapy-people.ts';

/** Self-guided patients with no window yet, or with one that a physician released once; and answers that come late. */

const begin = '2027-05-03';
const day = (days: number) => addDays(begin, days);

let stage: Stage;
let place: Clinic;
beforeAll(async () => {
  stage = await openStage();
  place = { stage, doctor: await stage.physician(site) };
  await itIs(0);
});
afterAll(() => stage.close());

async function itIs(days: number) {
  expect((await stage.setClock(`${day(days)}T10:00:00.000Z`)).status).toBe(200);
}

async function guided() {
  const patient = await stage.patientAt(site);
  await keepDiary(patient, begin, 5);
  await guideThemselves(place, patient);
  return patient;
}

const home = async (patient: Person, language = 'en') => {
  const { body } = await patient.ask('GET', '/users/me/programme', { headers: { 'Accept-Language': language } });
  return body.window;
};
const withoutTimes = { inBedAt: null, outOfBedAt: null };
const paused = { ...withoutTimes, text: expect.stringMatching(/^Your sleep window is paused\. Tonight go to bed/) };

let tooSleepy: Person;
let prescribed: Person;

test('too sleepy before the first window: the patient reads what to do tonight', async () => {
  tooSleepy = await guided();
  await screen(tooSleepy);
  await answered(tooSleepy, mood);
  await answered(tooSleepy, sleepiness(12));
  const text = expect.stringMatching(/^You have no sleep window at present\. Tonight go to bed/);
  const tonight = { ...withoutTimes, text };
  expect(await ownWindow(tooSleepy)).toMatchObject({ status: 'none', tonight, proposal: null });
  expect(await home(tooSleepy)).toMatchObject({ status: 'none', tasks: [{ kind: 'paused', text }] });
});

test('a physician releases the first window of a self-guided patient', async () => {
  prescribed = await guided();
  await measured(prescribed);
  const { proposalId } = await proposalOf(place, prescribed);
  expect((await releaseOf(place, prescribed, { proposalId })).body).toMatchObject({ sequence: 1, by: 'physician' });
  expect((await ownWindow(prescribed)).status).toBe('active');
});

test('too sleepy before the first window: nine days later the patient answers again, and releases it', async () => {
  await itIs(9);
  await keepDiary(tooSleepy, day(9), 5);
  const { tasks } = await home(tooSleepy, 'de');
  expect(tasks).toMatchObject([
    { kind: 'paused', text: expect.stringMatching(/^Sie haben zurzeit kein Schlaffenster\./) },
    { kind: 'measurement-due', questionnaireIds: ['ess'] },
  ]);
  expect(JSON.stringify(tasks)).not.toMatch(/\b12\b/);
  // No bundle asks for it: the answer belongs to none.
  await answered(tooSleepy, sleepiness(8));
  const { suspendedBecause, tonight, proposal } = await ownWindow(tooSleepy);
  expect([suspendedBecause, tonight, proposal]).toEqual([[], null, expect.any(Object)]);
  expect((await releaseOwn(tooSleepy, proposal.proposalId)).body).toMatchObject({ sequence: 1, by: 'screening' });
});

test('a physician’s window is due after 14 days without ESS, and paused after 21', async () => {
  await itIs(15);
  const its = { sequence: 1, by: 'physician' };
  expect(await ownWindow(prescribed)).toMatchObject({ status: 'measurement-due', window: its });
  await itIs(22);
  expect(await ownWindow(prescribed)).toMatchObject({
    ...{ status: 'suspended', tonight: paused },
    suspendedBecause: [{ code: 'MEASUREMENT_MISSING' }],
  });
  await answered(prescribed, sleepiness(6));
  expect(await ownWindow(prescribed)).toMatchObject({ status: 'active', window: its });
});

lateAnswers(() => place, itIs, begin);
