import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { putConsent } from '../consented.ts';
import { keepDiary, write } from './diary-in-berlin.ts';
import { screenedWindows } from './screened-windows.ts';
import { secondWeek } from './second-week.ts';
import { openStage, type Person } from './stage.ts';
import { suspendedWindows } from './suspended-windows.ts';
import { proposalOf as proposalFor, releaseOf, site, windowOf } from './therapy-people.ts';

/** Two weeks of a therapy, with the time machine: the first week ends with the night in which summer time begins. */

const firstWeek = '2027-03-28';
const stage = await openStage();
const doctor = await stage.physician(site);
afterAll(() => stage.close());

async function itIs(date: string) {
  expect((await stage.setClock(`${date}T10:00:00.000Z`)).status).toBe(200);
}

const placeOf = () => ({ stage, doctor });
const release = (patient: Person, body: object) => releaseOf(placeOf(), patient, body);
const proposalOf = (patient: Person) => proposalFor(placeOf(), patient);

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
      ruleVersion: '2',
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

  test('200: released once, even if it is requested twice or at once, and the look is in the patient’s log', async () => {
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
    // The clock of the place of the newest entry counts, wherever the window was released.
    expect((await write(patient, firstWeek, { zone: 'Europe/London' })).status).toBe(200);
    expect((await patient.ask('GET', '/sleep/window')).body.tonight.outOfBedAt).toBe('2027-03-29T06:00:00.000Z');
  });

  test('409: the diary changed after the proposal was read, or somebody else released another proposal', async () => {
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

  test('200: a repeated release is the same if it asks for the same times, written out or not; else 409', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 5);
    const { proposalId, minutes, risingTime } = await proposalOf(patient);
    const first = await release(patient, { proposalId, minutes, risingTime });
    expect(first.status).toBe(200);
    for (const stated of [{ minutes, risingTime }, { minutes }, {}]) {
      expect(await release(patient, { proposalId, ...stated })).toMatchObject({ status: 200, body: first.body });
    }
    expect((await release(patient, { proposalId, risingTime: '05:00' })).status).toBe(409);
  });

  test('200: mistyped times are replaced at once, by one of several physicians; the week begins again', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 5);
    const { proposalId } = await proposalOf(patient);
    expect((await release(patient, { proposalId, minutes: 240 })).body).toMatchObject({ sequence: 1, minutes: 240 });
    for (const body of [{ replaces: 1 }, { minutes: 400 }, { replaces: 1, proposalId, minutes: 400 }]) {
      expect((await release(patient, body)).status).toBe(400);
    }
    expect(await release(patient, { replaces: 2, minutes: 400 })).toMatchObject({
      status: 409,
      body: { code: 'SLEEP_WINDOW_CHANGED', detail: { proposalId: null } },
    });
    const asked = [400, 400, 420, 420].map((minutes) => release(patient, { replaces: 1, minutes }));
    const answers = await Promise.all(asked);
    const won = answers.find(({ status }) => status === 200)?.body;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
    expect(won).toMatchObject({ sequence: 2, from: firstWeek, risingTime: '07:00' });
    expect(won.because.map(({ code }: { code: string }) => code)).toEqual(['FIRST_WINDOW', 'SET_BY_PHYSICIAN']);
    const { minutes } = won;
    expect((await release(patient, { replaces: 1, minutes })).body).toEqual(won);
    // A late second click of the first release does not restore the mistyped window.
    expect((await release(patient, { proposalId, minutes: 240 })).status).toBe(409);
    expect((await patient.ask('GET', '/sleep/window')).body).toMatchObject({
      window: { sequence: 2, minutes },
      next: { dueOn: addDays(firstWeek, 7) },
    });
    const back = await release(patient, { replaces: 2, minutes: 350, risingTime: '07:00' });
    expect(back.body).toMatchObject({ sequence: 3, minutes: 350, because: [{ code: 'FIRST_WINDOW' }] });
  });

  test('200: a window is taken back, once, and no late click restores it; another proposal follows', async () => {
    const patient = await stage.patientAt(site);
    await keepDiary(patient, firstWeek, 5);
    const { proposalId } = await proposalOf(patient);
    const withdraw = (sequence: number) => doctor.ask('POST', `${windowOf(patient)}/withdraw`, { body: { sequence } });
    const changed = { status: 409, body: { code: 'SLEEP_WINDOW_CHANGED', detail: { proposalId } } };
    expect(await withdraw(1)).toMatchObject(changed);
    expect((await release(patient, { proposalId })).status).toBe(200);
    const [one, other, replaced] = await Promise.all([
      withdraw(1),
      withdraw(1),
      release(patient, { replaces: 1, minutes: 400 }),
    ]);
    // One request takes the number first: the others get a conflict, or the same window.
    const isReplaced = replaced.status === 200;
    expect([one.status, other.status, replaced.status]).toEqual(isReplaced ? [409, 409, 200] : [200, 200, 409]);
    const last = isReplaced ? 2 : 1;
    const done = await withdraw(last);
    expect(done).toMatchObject({ status: 200, body: { sequence: last } });
    expect((await withdraw(last)).body).toEqual(done.body);
    expect((await patient.ask('GET', '/sleep/window')).body).toMatchObject({
      status: 'none',
      window: null,
      tonight: null,
      next: { waitingFor: null },
    });
    expect((await release(patient, { proposalId })).body).toMatchObject({ code: 'SLEEP_WINDOW_CHANGED' });
    expect((await release(patient, { replaces: last, minutes: 400 })).status).toBe(409);
    expect((await release(patient, { replaces: last + 1, minutes: 400 })).status).toBe(409);
    const next = await proposalOf(patient);
    expect(next).toMatchObject({ because: [{ code: 'FIRST_WINDOW' }] });
    expect(next.proposalId).not.toBe(proposalId);
    expect((await release(patient, { proposalId: next.proposalId })).body).toMatchObject({ sequence: last + 2 });
  });

  test('200: below five hours only by a physician, and the answer says so; 400 below four', async () => {
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

  suspendedWindows(placeOf, firstWeek);

  screenedWindows(placeOf, firstWeek);

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
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'",
    );
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="de">/);
    expect(page.text).toContain('Schlafbericht');
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('Ein &quot;Anruf&quot; &lt;script&gt;alert(1)&lt;/script&gt; um 4');
    expect((await doctor.ask('GET', `${report}&locale=en_GB`, { headers: { Accept: 'text/html' } })).text).toContain(
      'Sleep report',
    );
  });

  test('404 without the relation, 403 without the consent', async () => {
    const patient = await stage.patientAt('another-clinic');
    const consenting = await stage.patientAt(site);
    await putConsent(stage.put, { userId: consenting.user, action: 'revoked', sequence: 2 });
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
    const withdraw = (whose: Person) => doctor.ask('POST', `${windowOf(whose)}/withdraw`, { body: { sequence: 1 } });
    expect([(await withdraw(patient)).status, (await withdraw(consenting)).status]).toEqual([404, 403]);
  });
});

describe('the second week', () => secondWeek(placeOf, itIs, firstWeek));
