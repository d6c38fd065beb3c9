import { expect, test } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { keepDiary, write } from './diary-in-berlin.ts';
import { type Clinic, proposalOf, releaseOf, site } from './therapy-people.ts';

/** What follows from the first window. */
export function secondWeek(placeOf: () => Clinic, itIs: (date: string) => Promise<void>, firstWeek: string): void {
  test('a diary of two weeks: one night is sent twice, one late, and the next window follows from the one before', async () => {
    await itIs(firstWeek);
    const patient = await placeOf().stage.patientAt(site);
    await keepDiary(patient, firstWeek, 7);
    const first = await proposalOf(placeOf(), patient);
    expect((await releaseOf(placeOf(), patient, { proposalId: first.proposalId })).body).toMatchObject({
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
    const next = await proposalOf(placeOf(), patient);
    expect(next).toMatchObject({
      minutes: first.minutes + 15,
      risingTime: '07:00',
      because: [{ code: 'EFFICIENCY_HIGH' }],
      week: { from: '2027-03-29', nights: 7, efficiencyPercent: 93.33 },
    });
    expect((await releaseOf(placeOf(), patient, { proposalId: next.proposalId })).body).toMatchObject({
      sequence: 2,
      from: secondWeek,
    });
    const { body } = await patient.ask('GET', `/sleep/summary?from=${addDays(firstWeek, -6)}&to=${secondWeek}`);
    expect(body).toMatchObject({ nights: 14, regularity: { pairs: 13 } });
    expect(body.periods.map(({ nights }: { nights: number }) => nights)).toEqual([7, 7]);
  });
}
