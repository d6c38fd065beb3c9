import { describe, expect, test } from 'vitest';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import { keepDiary } from './diary-in-berlin.ts';
import { screeningDraft } from './screening.ts';
import type { Person } from './stage.ts';
import {
  answered,
  type Clinic,
  drafted,
  guideThemselves,
  measured,
  mood,
  ownWindow,
  releaseOwn,
  screen,
  site,
  sleepiness,
} from './therapy-people.ts';

/** Answers that were written long before they arrive: they are as old as they were written. */
export function lateAnswers(placeOf: () => Clinic, itIs: (days: number) => Promise<void>, begin: string): void {
  const day = (days: number) => addDays(begin, days);
  const send = async (patient: Person, path: string) =>
    expect((await patient.ask('POST', `${path}/complete`)).status).toBe(200);

  async function guided() {
    const place = placeOf();
    const patient = await place.stage.patientAt(site);
    await keepDiary(patient, day(0), 5);
    await guideThemselves(place, patient);
    return patient;
  }

  describe('answers that arrive late', () => {
    type Late = { readonly patient: Person; readonly ess: string };
    let paused: Late;
    let silent: Late;
    let sleepy: Late;
    let waiting: { readonly patient: Person; readonly paths: string[] };

    test('are written on the first day, and kept on the phone', async () => {
      await itIs(0);
      const began = async () => {
        const patient = await guided();
        await screen(patient);
        await measured(patient);
        const { proposal } = await ownWindow(patient);
        expect((await releaseOwn(patient, proposal.proposalId)).status).toBe(200);
        return { patient, ess: await drafted(patient, sleepiness(4)) };
      };
      paused = await began();
      silent = await began();
      sleepy = await began();
      const patient = await guided();
      const drafts = [screeningDraft(), sleepiness(4), mood];
      waiting = { patient, paths: await Promise.all(drafts.map((draft) => drafted(patient, draft))) };
    });

    test('do not end a suspension by a later sign of sleepiness', async () => {
      await itIs(8);
      const { patient, ess } = paused;
      await answered(patient, sleepiness(11));
      await itIs(12);
      await keepDiary(patient, day(12), 5);
      await send(patient, ess);
      const { suspendedBecause, proposal, release } = await ownWindow(patient);
      expect([suspendedBecause, proposal]).toMatchObject([[{ code: 'SLEEPINESS' }], null]);
      const written = `${day(8)}T`;
      expect(release.measurements[0]).toMatchObject({
        questionnaireId: 'ess',
        completedAt: expect.stringContaining(written),
      });
    });

    test('suspend a window, if they are signs', async () => {
      await itIs(12);
      const { patient } = sleepy;
      expect((await ownWindow(patient)).status).toBe('active');
      const path = await drafted(patient, { ...sleepiness(18), recordedAt: `${day(0)}T06:00:00.000Z` });
      await send(patient, path);
      expect(await ownWindow(patient)).toMatchObject({
        status: 'suspended',
        suspendedBecause: [{ code: 'SLEEPINESS' }],
      });
    });

    test('do not end a suspension without a measurement', async () => {
      const { patient, ess } = silent;
      await itIs(22);
      await send(patient, ess);
      expect(await ownWindow(patient)).toMatchObject({
        status: 'suspended',
        suspendedBecause: [{ code: 'MEASUREMENT_MISSING' }],
      });
    });

    test('release nothing, two months later', async () => {
      await itIs(60);
      const { patient, paths } = waiting;
      await keepDiary(patient, day(60), 5);
      for (const path of paths) await send(patient, path);
      const { proposal, release } = await ownWindow(patient);
      expect([proposal, release]).toMatchObject([
        null,
        {
          because: [{ code: 'SCREENING_NEEDED' }, { code: 'MEASUREMENT_NEEDED' }],
          measurements: [{ status: 'due' }, { status: 'due' }],
        },
      ]);
    });
  });
}
