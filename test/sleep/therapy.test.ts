import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { eventually } from '../eventually.ts';
import { openStage, type Person, type Stage } from './stage.ts';

/** Two weeks of a therapy, with the time machine: the first week ends with the night in which summer time begins. */

const firstWeek = '2027-03-28';
const site = 'clinic';

let stage: Stage;
let doctor: Person;
beforeAll(async () => {
  stage = await openStage();
  doctor = await stage.physician(site);
});
afterAll(() => stage.close());

/** 23:30 to 07:00 by the clock in Berlin, with so many minutes awake. */
function nightOf(date: string, more: object = {}) {
  const offset = (day: string) => (day < '2027-03-28' ? '+01:00' : '+02:00');
  const [evening, morning] = [
    `${addDays(date, -1)}T23:30:00${offset(addDays(date, -1))}`,
    `${date}T07:00:00${offset(date)}`,
  ];
  return {
    zone: 'Europe/Berlin',
    inBedAt: evening,
    lightsOffAt: evening,
    sleepOnsetMinutes: 45,
    awakenings: 2,
    wakeMinutes: 45,
    finalWakeAt: morning,
    outOfBedAt: morning,
    ...more,
  };
}

async function itIs(date: string) {
  const now = `${date}T10:00:00.000Z`;
  await stage.setClock(now);
  const tools = await stage.signedIn('patient', 'sleepcare');
  await eventually(async () => {
    expect((await tools.ask('PUT', `/sleep/entries/${date}`, { body: nightOf(date) })).status).toBe(200);
  });
}

const write = ({ ask }: Person, date: string, more: object = {}) =>
  ask('PUT', `/sleep/entries/${date}`, { body: nightOf(date, more) });

async function keepDiary(patient: Person, last: string, days: number, more: object = {}) {
  for (let index = 0; index < days; index += 1)
    expect((await write(patient, addDays(last, -index), more)).status).toBe(200);
}

const windowOf = ({ user }: Person) => `/users/${user}/sleep/window`;
const release = (patient: Person, body: object, by = doctor) =>
  by.ask('POST', `${windowOf(patient)}/release`, { body });

/** What is proposed for a patient now. */
const proposalOf = async (patient: Person) => (await doctor.ask('GET', windowOf(patient))).body.proposal;

describe('the first week', () => {
  beforeAll(() => itIs(firstWeek));

  test('200: four nights propose nothing, the fifth does, and reading changes nothing', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 4);
    expect(await proposalOf(patient)).toBeNull();
    expect(await release(patient, { proposalId: randomUUID() })).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_NOT_DUE', detail: { waitingFor: 'TOO_FEW_NIGHTS', nights: 4, dueOn: firstWeek } },
    });
    await write(patient, addDays(firstWeek, -4));
    const proposal = await proposalOf(patient);
    // The night in which summer time begins is an hour shorter: 360 four times, and 300 once.
    expect(proposal).toMatchObject({
      minutes: 350,
      risingTime: '07:00',
      bedTime: '01:10',
      ruleVersion: '1',
      because: [{ code: 'FIRST_WINDOW', text: expect.stringContaining('average') }],
      week: { from: '2027-03-22', to: firstWeek, nights: 5, meanSleepMinutes: 348, efficiencyPercent: 79.45 },
    });
    expect(await proposalOf(patient)).toEqual(proposal);
    expect((await patient.ask('GET', '/sleep/window')).body).toMatchObject({
      status: 'none',
      window: null,
      next: { waitingFor: null, nights: 5 },
    });
    expect(JSON.stringify((await patient.ask('GET', '/sleep/window')).body)).not.toContain(proposal.proposalId);
  });

  test('200: released once, whoever asks twice or at once, and the look is in the patient’s log', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 5);
    const { proposalId } = await proposalOf(patient);
    const answers = await Promise.all(Array.from({ length: 6 }, () => release(patient, { proposalId })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ sequence: 1, from: firstWeek, minutes: 350 });
    const { body } = await patient.ask('GET', '/sleep/window', { headers: { 'Accept-Language': 'de' } });
    expect(body).toMatchObject({
      status: 'active',
      window: { sequence: 1, because: [{ text: expect.stringContaining('Das erste Schlaffenster') }] },
      // By the clock in Berlin 01:10 to 07:00 on the next day.
      tonight: { inBedAt: '2027-03-28T23:10:00.000Z', outOfBedAt: '2027-03-29T05:00:00.000Z' },
      next: { dueOn: '2027-04-04', waitingFor: { code: 'WEEK_NOT_OVER' } },
    });
    const log = await patient.ask('GET', '/users/me/access-log');
    expect(log.body.items).toContainEqual(
      expect.objectContaining({
        name: 'Dr. Ada Example',
        relation: 'care',
        action: 'POST /users/{userId}/sleep/window/release',
      }),
    );
  });

  test('409: the diary changed since the proposal was read, or somebody else released another', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 5);
    const { proposalId } = await proposalOf(patient);
    await write(patient, addDays(firstWeek, -5));
    const current = await proposalOf(patient);
    const changed = { status: 409, body: { code: 'SLEEP_WINDOW_CHANGED', detail: { proposalId: current.proposalId } } };
    expect(await release(patient, { proposalId })).toMatchObject(changed);
    expect((await release(patient, { proposalId: current.proposalId })).status).toBe(200);
    const other = await release(patient, { proposalId: current.proposalId, minutes: 300 });
    expect(other).toMatchObject({ status: 409, body: { code: 'SLEEP_WINDOW_CHANGED', detail: { proposalId: null } } });
  });

  test('200: below five hours by a physician alone, and it says so; 400 below four', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 5, { sleepOnsetMinutes: 120, wakeMinutes: 120 });
    const proposal = await proposalOf(patient);
    expect(proposal).toMatchObject({ minutes: 300, because: [{ code: 'FIRST_WINDOW' }, { code: 'AT_LEAST' }] });
    const { proposalId } = proposal;
    expect((await release(patient, { proposalId, minutes: 235 })).status).toBe(400);
    expect((await release(patient, { proposalId, minutes: 271 })).status).toBe(400);
    const released = await release(patient, { proposalId, minutes: 270, risingTime: '06:00' });
    expect(released.body).toMatchObject({
      minutes: 270,
      bedTime: '01:30',
      because: [{}, {}, { code: 'SET_BY_PHYSICIAN' }],
    });
    expect((await release(patient, { proposalId, minutes: 270, risingTime: '06:00' })).body).toEqual(released.body);
  });

  test('409: too sleepy, or a flag is open, until that has passed', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 5);
    const { proposalId } = await proposalOf(patient);
    const score = (value: number, completedAt: string) =>
      stage.put('QuestionnaireResponses', {
        userId: patient.user,
        part: `of#ess#${completedAt}#r`,
        scores: [{ scoreId: 'total', value, bandId: null, missing: 0, rule: 'ess/1.0/1' }],
      });
    const flag = (acknowledgedAt: string | null) =>
      stage.put('QuestionnaireFlags', { part: 'flag#f', name: 'flag', acknowledgedAt });
    await score(11, '2027-03-20T10:00:00.000Z');
    await stage.put('QuestionnaireFlags', { part: `user#${patient.user}`, name: 'f' });
    await flag(null);
    const held = {
      status: 409,
      body: { code: 'SLEEP_WINDOW_SUSPENDED', detail: { because: ['SLEEPINESS', 'OPEN_FLAG'] } },
    };
    expect(await release(patient, { proposalId })).toMatchObject(held);
    expect(await proposalOf(patient)).toBeNull();
    await score(10, '2027-03-21T10:00:00.000Z');
    await flag('2027-03-21T10:00:00.000Z');
    expect((await release(patient, { proposalId })).status).toBe(200);
    await flag(null);
    expect((await patient.ask('GET', '/sleep/window')).body).toMatchObject({
      status: 'suspended',
      window: { sequence: 1 },
      tonight: null,
      suspendedBecause: [{ code: 'OPEN_FLAG' }],
    });
  });

  test('a release raced with a flag: whichever is first, no window is to be kept then; older flags hide none', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 5);
    const { proposalId } = await proposalOf(patient);
    // More than a batch of DynamoDB's holds, all seen to, and each before the open one.
    const settled = Array.from({ length: 101 }, (_, index) => `a-${index}`);
    const flag = async (name: string, acknowledgedAt: string | null) => {
      await stage.put('QuestionnaireFlags', { part: `flag#${patient.user}-${name}`, name: 'flag', acknowledgedAt });
      await stage.put('QuestionnaireFlags', { part: `user#${patient.user}`, name: `${patient.user}-${name}` });
    };
    await Promise.all(settled.map((name) => flag(name, '2027-03-21T10:00:00.000Z')));
    const [answer] = await Promise.all([release(patient, { proposalId }), flag('b', null)]);
    expect([200, 409]).toContain(answer?.status);
    expect((await patient.ask('GET', '/sleep/window')).body).toMatchObject({
      status: answer?.status === 200 ? 'suspended' : 'none',
      tonight: null,
      suspendedBecause: [{ code: 'OPEN_FLAG' }],
    });
    expect(await proposalOf(patient)).toBeNull();
  });

  test('staff see what the patient sees, and a page to print', async () => {
    const patient = await stage.patientAt(site);
    const notes = 'Ein "Anruf" <script>alert(1)</script> um 4';
    await keepDiary(patient, firstWeek, 5, { notes });
    const range = `from=${addDays(firstWeek, -6)}&to=${firstWeek}`;
    for (const what of ['entries', 'summary']) {
      const [own, seen] = [
        await patient.ask('GET', `/sleep/${what}?${range}`),
        await doctor.ask('GET', `/users/${patient.user}/sleep/${what}?${range}`),
      ];
      expect([seen.status, seen.text]).toEqual([200, own.text]);
    }
    const report = `/users/${patient.user}/sleep/report?${range}`;
    expect((await doctor.ask('GET', report)).body).toMatchObject({
      from: '2027-03-22',
      summary: { nights: 5 },
      window: { status: 'none' },
    });
    const page = await doctor.ask('GET', report, { headers: { Accept: 'text/html', 'Accept-Language': 'de' } });
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="de">/);
    expect(page.text).toContain('Schlafbericht');
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('&#60;script&#62;');
    expect((await doctor.ask('GET', `${report}&locale=en_GB`, { headers: { Accept: 'text/html' } })).text).toContain(
      'Sleep report',
    );
  });

  test('404 without the relation, 403 without the consent', async () => {
    const patient = await stage.patientAt('another-clinic');
    const consenting = await stage.patientAt(site);
    await stage.put('ConsentStates', {
      userId: consenting.user,
      agreementId: 'data-sharing',
      action: 'revoked',
      recordId: 'r',
      sequence: 2,
    });
    const range = `from=${firstWeek}&to=${firstWeek}`;
    for (const path of ['entries', 'summary', 'report']) {
      expect((await doctor.ask('GET', `/users/${patient.user}/sleep/${path}?${range}`)).status).toBe(404);
      expect(await doctor.ask('GET', `/users/${consenting.user}/sleep/${path}?${range}`)).toMatchObject({
        status: 403,
        body: { code: 'CONSENT_REQUIRED' },
      });
    }
    expect((await doctor.ask('GET', windowOf(patient))).status).toBe(404);
    expect((await release(consenting, { proposalId: randomUUID() })).status).toBe(403);
  });
});

describe('the second week', () => {
  test('a diary of two weeks: one night twice, one late, and the window that follows from the one before', async () => {
    await itIs(firstWeek);
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 7);
    const first = await proposalOf(patient);
    expect((await release(patient, { proposalId: first.proposalId })).body).toMatchObject({
      sequence: 1,
      minutes: first.minutes,
    });

    const secondWeek = addDays(firstWeek, 7);
    await itIs(secondWeek);
    expect((await patient.ask('GET', '/sleep/window')).body.next).toMatchObject({
      dueOn: secondWeek,
      nights: 0,
      waitingFor: { code: 'TOO_FEW_NIGHTS' },
    });
    // 420 of 450 minutes: more than 90 %.
    const well = { sleepOnsetMinutes: 15, wakeMinutes: 15 };
    await keepDiary(patient, secondWeek, 6, well);
    await write(patient, secondWeek, { ...well, quality: 5 });
    // The seventh night comes late, from a phone that had no network.
    expect((await write(patient, addDays(firstWeek, 1), { ...well, recordedAt: '2027-03-29T06:00:00Z' })).status).toBe(
      200,
    );
    const next = await proposalOf(patient);
    expect(next).toMatchObject({
      minutes: first.minutes + 15,
      risingTime: '07:00',
      because: [{ code: 'EFFICIENCY_HIGH' }],
      week: { from: '2027-03-29', nights: 7, efficiencyPercent: 93.33 },
    });
    expect((await release(patient, { proposalId: next.proposalId })).body).toMatchObject({
      sequence: 2,
      from: secondWeek,
    });
    const { body } = await patient.ask('GET', `/sleep/summary?from=${addDays(firstWeek, -6)}&to=${secondWeek}`);
    expect(body).toMatchObject({ nights: 14, regularity: { pairs: 13 } });
    expect(body.periods.map(({ nights }: { nights: number }) => nights)).toEqual([7, 7]);
  });
});
