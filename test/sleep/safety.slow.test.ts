import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { keepDiary, write } from './diary-in-berlin.ts';
import { lateAnswers } from './late-answers.ts';
import { openStage, type Person, type Stage } from './stage.ts';
import {
  answered,
  guideThemselves,
  measured,
  ownWindow,
  type Place,
  proposalOf,
  releaseOf,
  releaseOwn,
  screen,
  site,
  sleepiness,
} from './therapy-people.ts';

/** Self-guided patients whom no physician looks at, day by day, with the time machine. */

const begin = '2027-05-03';
const day = (days: number) => addDays(begin, days);

let stage: Stage;
let place: Place;
beforeAll(async () => {
  stage = await openStage();
  place = { stage, doctor: await stage.physician(site) };
  await itIs(0);
});
afterAll(() => stage.close());

async function itIs(days: number) {
  expect((await stage.setClock(`${day(days)}T10:00:00.000Z`)).status).toBe(200);
}

/** Somebody who releases the first window on the first day. */
async function began() {
  const patient = await stage.patientAt(site);
  await keepDiary(patient, begin, 5);
  const { end } = await guideThemselves(place, patient);
  await screen(patient);
  await measured(patient);
  const { proposal } = await ownWindow(patient);
  expect((await releaseOwn(patient, proposal.proposalId)).status).toBe(200);
  return { patient, end };
}

const home = async (patient: Person, language = 'en') => {
  const { body } = await patient.ask('GET', '/users/me/programme', { headers: { 'Accept-Language': language } });
  return body.window;
};
const kinds = async (patient: Person) => {
  const { status, tasks } = await home(patient);
  return [status, ...tasks.map(({ kind }: { kind: string }) => kind)];
};
const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code);
const withoutTimes = { inBedAt: null, outOfBedAt: null };
const paused = { ...withoutTimes, text: expect.stringMatching(/^Your sleep window is paused\. Tonight go to bed/) };

let people: Record<'sleepy' | 'silent' | 'leaving', Awaited<ReturnType<typeof began>>>;

test('three patients release a first window on one day', async () => {
  people = { sleepy: await began(), silent: await began(), leaving: await began() };
  for (const { patient } of Object.values(people)) {
    expect(await ownWindow(patient)).toMatchObject({ status: 'active', tonight: { text: null } });
    expect(await kinds(patient)).toEqual(['active']);
  }
});

describe('the entitlement ends on the third day', () => {
  test('the window ends with it, and the patient reads how to go on; a later code does not bring it back', async () => {
    await itIs(3);
    const { patient, end } = people.leaving;
    expect((await end()).status).toBe(200);
    const longer = { ...withoutTimes, text: expect.stringContaining('15 minutes more each week') };
    expect(await ownWindow(patient)).toMatchObject({ status: 'ended', tonight: longer, suspendedBecause: [] });
    expect(await kinds(patient)).toEqual(['ended', 'ended']);
    expect((await home(patient, 'de')).tasks[0].text).toContain('15 Minuten mehr');
    const replaced = await releaseOf(place, patient, { replaces: 1, minutes: 400 });
    expect(replaced).toMatchObject({ status: 409, body: { code: 'SLEEP_WINDOW_CHANGED' } });
    await guideThemselves(place, patient);
    await keepDiary(patient, day(3), 3);
    const { status, release, proposal } = await ownWindow(patient);
    expect([status, release.because]).toEqual(['ended', []]);
    expect(codes(proposal.because)).toEqual(['FIRST_WINDOW']);
    expect((await releaseOwn(patient, proposal.proposalId)).body).toMatchObject({ sequence: 2 });
    expect((await ownWindow(patient)).status).toBe('active');
  });
});

describe('ESS 11 in the second week, and 8 on the next morning', () => {
  test('on the day of it the window is paused, without the score', async () => {
    await itIs(8);
    const { patient } = people.sleepy;
    expect((await ownWindow(patient)).status).toBe('active');
    await answered(patient, sleepiness(11));
    const state = await ownWindow(patient);
    expect(state).toMatchObject({ status: 'suspended', tonight: paused, suspendedBecause: [{ code: 'SLEEPINESS' }] });
    expect(JSON.stringify([state.tonight, state.suspendedBecause])).not.toMatch(/\b1[01]\b/);
    expect(await kinds(patient)).toEqual(['suspended', 'paused']);
  });

  test('the next morning it stays paused', async () => {
    await itIs(9);
    const { patient } = people.sleepy;
    await answered(patient, sleepiness(8));
    expect(await ownWindow(patient)).toMatchObject({ status: 'suspended', suspendedBecause: [{ code: 'SLEEPINESS' }] });
  });

  test('four days later another answer ends it: the next window is a first one', async () => {
    await itIs(12);
    const { patient } = people.sleepy;
    await keepDiary(patient, day(12), 5);
    expect((await ownWindow(patient)).proposal).toBeNull();
    await answered(patient, sleepiness(8));
    const { status, suspendedBecause, tonight, proposal } = await ownWindow(patient);
    expect([status, codes(suspendedBecause), codes(proposal.because)]).toEqual([
      ...['suspended', ['NOT_RESUMED']],
      ['FIRST_WINDOW'],
    ]);
    expect(tonight).toEqual(paused);
    expect(await kinds(patient)).toEqual(['suspended', 'paused', 'proposal-to-release']);
    expect((await releaseOwn(patient, proposal.proposalId)).body).toMatchObject({ sequence: 2, by: 'screening' });
    expect(await ownWindow(patient)).toMatchObject({ status: 'active', suspendedBecause: [] });
  });

  test('after the second suspension only a physician releases', async () => {
    await itIs(13);
    const { patient } = people.sleepy;
    expect((await write(patient, day(13), { noddedOff: true })).status).toBe(200);
    expect(await ownWindow(patient)).toMatchObject({ status: 'suspended', suspendedBecause: [{ code: 'SLEEPINESS' }] });
    await itIs(17);
    await keepDiary(patient, day(17), 3);
    await answered(patient, sleepiness(4));
    const { release, proposal } = await ownWindow(patient);
    expect([release.by, codes(release.because), proposal]).toEqual(['physician', ['SLEEPY_AGAIN'], null]);
    const seen = await proposalOf(place, patient);
    expect(await releaseOwn(patient, seen.proposalId)).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_BY_PHYSICIAN', detail: { because: ['SLEEPY_AGAIN'] } },
    });
    expect((await releaseOf(place, patient, { proposalId: seen.proposalId })).body).toMatchObject({ sequence: 3 });
    expect(await ownWindow(patient)).toMatchObject({ status: 'active', release: { by: 'screening' } });
  });
});

describe('ESS is never answered again', () => {
  test('after 14 days it is due, and the window stays', async () => {
    await itIs(15);
    const { patient } = people.silent;
    const { status, tonight } = await ownWindow(patient);
    expect([status, tonight.text]).toEqual(['measurement-due', expect.stringContaining('last 21 days')]);
    expect(tonight.inBedAt).toEqual(expect.any(String));
    expect(await home(patient)).toMatchObject({
      tasks: [{ kind: 'measurement-due', questionnaireIds: ['ess'], text: tonight.text }],
    });
  });

  test('after 21 days it is paused, until it is answered', async () => {
    await itIs(22);
    const { patient } = people.silent;
    expect(await ownWindow(patient)).toMatchObject({
      status: 'suspended',
      tonight: paused,
      suspendedBecause: [{ code: 'MEASUREMENT_MISSING' }],
    });
    expect(await kinds(patient)).toEqual(['suspended', 'paused', 'measurement-due']);
    await answered(patient, sleepiness(6));
    expect(await ownWindow(patient)).toMatchObject({ status: 'active', window: { sequence: 1 } });
  });
});

lateAnswers(() => place, itIs, begin);
