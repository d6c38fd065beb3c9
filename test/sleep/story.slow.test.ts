import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeOf } from '../../functions/mobile-settings/rules/resolve.ts';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { eventually } from '../eventually.ts';
import { rightAnswers, texts, unitPath } from '../learning/people.ts';
import { definition, rule } from '../mobile-settings/definition.ts';
import { keepDiary, nightOf, write } from './diary-in-berlin.ts';
import { openStage, type Person, type Stage } from './stage.ts';
import { type Clinic, ownWindow, proposalOf, releaseOf, site } from './therapy-people.ts';

/** Two weeks of a patient with two phones, in the order of a story: a fresh stage, and the time machine. */

const begin = '2027-03-21';
const firstWeek = addDays(begin, 7);
const secondWeek = addDays(begin, 14);

let stage: Stage;
let place: Clinic;
let [one, other]: Person[] = [];
const phones = () => {
  if (!one || !other) throw new Error('the story begins with two phones');
  return { one, other };
};
beforeAll(async () => {
  stage = await openStage();
  place = { stage, doctor: await stage.physician(site) };
  const patient = await stage.patientAt(site);
  [one, other] = [patient, await stage.signedIn('patient', 'sleepcare', patient.user)];
});
afterAll(() => stage.close());

/** From noon of this date on. */
async function itIs(date: string) {
  expect((await stage.setClock(`${date}T10:00:00.000Z`)).status).toBe(200);
  expect((await phones().one.ask('GET', '/users/me/programme')).body.date).toBe(date);
}

const second = unitPath('bed-means-sleep');
const summary = async (from: string, to: string) =>
  (await phones().one.ask('GET', `/sleep/summary?from=${from}&to=${to}`)).body;

describe('on the first day', () => {
  beforeAll(() => itIs(begin));

  test('a code unlocks the programme, and the home screen shows what to do', async () => {
    const staff = await stage.signedIn('admin', 'medinfo');
    const { body } = await staff.ask('POST', '/access-codes/batches', {
      body: {
        ...{ count: 1, kind: 'prescription', programmeId: 'insomnia-basic', grantsDays: 90 },
        redeemBy: '2098-12-31T23:59:59Z',
      },
    });
    const { status } = await phones().one.ask('POST', '/access-codes/redeem', { body: { code: body.codes[0].code } });
    expect(status).toBe(200);
    expect((await phones().one.ask('GET', '/users/me/programme')).body).toMatchObject({
      date: begin,
      programmes: [{ programmeId: 'insomnia-basic', day: 0, courseIds: ['sleep-basics'] }],
      diary: { date: begin, status: 'missing' },
      units: [{ unitId: 'sleep-basics.what-sleep-does' }],
    });
  });

  test('the first module is done on two phones', async () => {
    const { one: first, other: late } = phones();
    const move = (phone: Person, name: string, percent: number) =>
      phone.ask('PUT', `${unitPath(name)}/progress`, { body: { position: percent, percent } });
    const [text = '', next = '', last = ''] = texts;
    expect((await move(first, text, 80)).body).toMatchObject({ percent: 80 });
    // The second phone's progress arrives late, and removes nothing.
    expect((await move(late, text, 30)).body).toMatchObject({ percent: 80, position: 80 });
    for (const [phone, name] of [
      [late, text],
      [first, next],
      [late, last],
    ] as const) {
      expect((await phone.ask('POST', `${unitPath(name)}/complete`, { body: {} })).status).toBe(200);
    }
    const quiz = { body: { answers: rightAnswers } };
    const [done, again] = [
      await first.ask('POST', `${unitPath('check')}/complete`, quiz),
      await late.ask('POST', `${unitPath('check')}/complete`, quiz),
    ];
    expect(done.body.progress).toMatchObject({ percent: 100, quiz: { score: 3, maxScore: 3 } });
    expect(again.body).toEqual(done.body);
    for (const phone of [first, late]) {
      const { body } = await phone.ask('GET', '/learning/courses/sleep-basics');
      expect(body).toMatchObject({ unitsCompleted: 4, modules: [{ isUnlocked: true }, { isUnlocked: false }] });
    }
  });

  test('the second module waits for day 7', async () => {
    expect(await phones().one.ask('GET', second)).toMatchObject({
      status: 403,
      body: { code: 'UNIT_LOCKED', detail: { lockedBy: [{ kind: 'day', day: 7, date: firstWeek }] } },
    });
  });
});

test('on day 6 it still waits', async () => {
  await itIs(addDays(firstWeek, -1));
  expect((await phones().other.ask('GET', second)).body.code).toBe('UNIT_LOCKED');
});

describe('after a week', () => {
  beforeAll(() => itIs(firstWeek));

  test('the second module is open, on both phones', async () => {
    for (const phone of Object.values(phones())) expect((await phone.ask('GET', second)).status).toBe(200);
  });

  test('a night that is sent twice counts once; it and the other six add up', async () => {
    const { one: first, other: late } = phones();
    await keepDiary(first, firstWeek, 7);
    const recordedAt = `${firstWeek}T08:00:00.000Z`;
    const [sent, again] = [
      await write(first, firstWeek, { quality: 4, recordedAt }),
      await late.ask('PUT', `/sleep/entries/${firstWeek}`, {
        body: { ...nightOf(firstWeek), quality: 4, recordedAt },
      }),
    ];
    expect([sent.status, again.status, again.text]).toEqual([200, 200, sent.text]);
    expect(await summary(begin, firstWeek)).toMatchObject({
      nights: 7,
      // 360 minutes of 450 six times, and 300 of 390 in the night in which summer time begins.
      totalSleepMinutes: { mean: 351.43 },
      timeInBedMinutes: { mean: 441.43 },
      regularity: { pairs: 6, index: 100 },
    });
    expect((await first.ask('GET', '/users/me/programme')).body.diary.status).toBe('written');
  });

  test('the first window is released with its reason, and stays as it is', async () => {
    const { one: first } = phones();
    expect(await ownWindow(first)).toMatchObject({ status: 'none', window: null, proposal: null });
    const proposal = await proposalOf(place, first);
    expect((await releaseOf(place, first, { proposalId: proposal?.proposalId ?? 'none' })).status).toBe(200);
    const shown = await ownWindow(first);
    expect(shown).toMatchObject({
      status: 'active',
      window: {
        ...{ sequence: 1, minutes: 350, bedTime: '01:10', risingTime: '07:00', ruleVersion: '2' },
        because: [{ code: 'FIRST_WINDOW', text: 'The first window is as long as the sleep of the week, on average.' }],
        week: { nights: 7 },
      },
    });
    expect(await ownWindow(first)).toEqual(shown);
  });
});

describe('after two weeks', () => {
  beforeAll(() => itIs(secondWeek));

  test('one night arrives late, from a phone that had no network, and the next window follows from the one before', async () => {
    const { one: first, other: late } = phones();
    const well = { sleepOnsetMinutes: 15, wakeMinutes: 15 };
    await keepDiary(first, secondWeek, 6, well);
    const missing = addDays(firstWeek, 1);
    expect((await summary(begin, secondWeek)).nights).toBe(13);
    expect((await write(late, missing, { ...well, recordedAt: `${missing}T06:00:00Z` })).status).toBe(200);
    expect(await summary(addDays(begin, 1), secondWeek)).toMatchObject({
      nights: 14,
      regularity: { pairs: 13 },
      periods: [{ nights: 7 }, { nights: 7 }],
    });
    const proposal = await proposalOf(place, first);
    const { status, body } = await releaseOf(place, first, { proposalId: proposal?.proposalId ?? 'none' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ sequence: 2, minutes: 365, because: [{ code: 'EFFICIENCY_HIGH' }] },
      week: { from: missing, nights: 7, efficiencyPercent: 93.33 },
    });
  });

  test("the app's settings change for a tenth of the phones, the same ones each time", async () => {
    const staff = await stage.signedIn('admin', 'medinfo');
    const settingId = 'story-tenth';
    const path = `/mobile/settings/definitions/${settingId}`;
    const devices = Array.from({ length: 500 }, (_, index) => `phone-${index}`);
    const told = async (deviceId: string) =>
      (await phones().one.ask('GET', `/mobile/settings?deviceId=${deviceId}`)).body.settings[settingId];
    const put = (rolloutPercentage: number, headers: Record<string, string>) =>
      staff.ask('PUT', path, { body: definition({ rules: [rule({ rolloutPercentage })] }), headers });
    expect((await put(0, { 'If-None-Match': '*' })).status).toBe(200);
    await eventually(async () => expect(await told('phone-0')).toBe(false));
    expect((await put(10, { 'If-Match': '"1"' })).status).toBe(200);
    const changed = async () => {
      const values: boolean[] = [];
      for (let from = 0; from < devices.length; from += 20) {
        values.push(...(await Promise.all(devices.slice(from, from + 20).map(told))));
      }
      return devices.filter((_, index) => values[index]);
    };
    // Functions keep what they read for some seconds: each of them has it then.
    const expected = devices.filter((deviceId) => Number(placeOf(settingId, { deviceId })) < 10);
    await eventually(async () => expect(await changed()).toEqual(expected));
    expect(await changed()).toEqual(expected);
    expect(expected.length / devices.length).toBeCloseTo(0.1, 1);
  });
});
