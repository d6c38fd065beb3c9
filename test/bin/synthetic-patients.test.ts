import { expect, test } from 'vitest';
import { seededContents } from '../../bin/synthetic-patients/contents.ts';
import { type SyntheticPatient, syntheticPatients } from '../../bin/synthetic-patients/patients.ts';
import { consentRecordsOf, rowsOf } from '../../bin/synthetic-patients/rows.ts';
import { unitsOf } from '../../functions/learning/rules/course.ts';
import { answerProblems } from '../../functions/learning/rules/quiz.ts';
import { checkChain } from '../../functions/ledger/rules/chain-check.ts';

const plan = { patients: 12, days: 45, seed: 7, until: '2026-03-01' };
const contents = await seededContents();
const made = [...syntheticPatients(plan, contents)];

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

test('the same plan makes the same patients, another seed others, and fewer patients the first of them', () => {
  expect([...syntheticPatients(plan, contents)]).toEqual(made);
  expect([...syntheticPatients({ ...plan, patients: 3 }, contents)]).toEqual(made.slice(0, 3));
  const others = [...syntheticPatients({ ...plan, seed: 8 }, contents)];
  expect(new Set([...made, ...others].map(({ userId }) => userId)).size).toBe(24);
});

test('all that happens is within the plan, in its order', () => {
  for (const patient of made) {
    const times = [
      ...patient.consents.map(({ decidedAt }) => decidedAt),
      ...patient.nights.map(({ writtenAt }) => writtenAt),
      ...patient.questionnaires.flatMap(({ begunAt, completedAt }) => [begunAt, completedAt]),
      ...patient.units.map(({ completedAt }) => completedAt),
      ...patient.appVersions.map(({ from }) => from),
    ];
    expect(times.toSorted()[0]).toBe(patient.joinedAt);
    expect((times.toSorted().at(-1) ?? '') < '2026-03-02T01:00').toBe(true);
    expect(patient.nights.map(({ date }) => date)).toEqual(patient.nights.map(({ date }) => date).toSorted());
  }
});

test('the rules of the service take every row: nights, scores without flags, chains without a fault', () => {
  for (const patient of made) {
    const rows = rowsOf(patient, contents.questionnaires);
    expect(rows.filter(({ table }) => table === 'SleepEntries')).toHaveLength(patient.nights.length);
    const chains = Map.groupBy(
      rows.flatMap(({ table, item }) => (table === 'ConsentRecords' ? [item] : [])),
      ({ userAgreement }) => String(userAgreement),
    );
    expect(chains.size).toBeGreaterThanOrEqual(2);
    for (const [userAgreement, chain] of chains) expect(checkChain(userAgreement, chain)).toEqual([]);
    expect(rows.at(-1)?.item).toMatchObject({ userId: patient.userId, email: `${patient.userId}@example.com` });
  }
});

test('the nights are those of people with insomnia, who sleep better in the end', () => {
  const efficiency = (of: (patient: SyntheticPatient) => SyntheticPatient['nights']) => {
    const picked = made.map((patient) => ({ ...patient, nights: of(patient) }));
    const nights = picked
      .flatMap((patient) => rowsOf(patient, contents.questionnaires))
      .flatMap(({ table, item }) => {
        return table === 'SleepEntries' ? [item.night as { totalSleep: number; timeInBed: number }] : [];
      });
    return mean(nights.filter(({ timeInBed }) => timeInBed > 0).map((night) => night.totalSleep / night.timeInBed));
  };
  const [before, after] = [
    efficiency(({ nights }) => nights.slice(0, 10)),
    efficiency(({ nights }) => nights.slice(-10)),
  ];
  expect(before).toBeGreaterThan(0.6);
  expect(before).toBeLessThan(0.8);
  expect(after).toBeGreaterThan(before + 0.04);
  expect(after).toBeLessThan(0.93);
});

test('some people revoke, some agree again, some take a new version, and some have free text', () => {
  const records = made.flatMap(consentRecordsOf);
  const research = Map.groupBy(
    records.filter(({ agreementId }) => agreementId === 'research-data'),
    ({ userId }) => userId,
  );
  const actions = new Set([...research.values()].map((chain) => chain.map(({ action }) => action).join(' ')));
  expect(actions).toContain('agreed');
  expect(actions).toContain('agreed revoked');
  expect(new Set(records.map(({ appVersion }) => appVersion)).size).toBeGreaterThan(1);
  expect(made.flatMap(({ nights }) => nights).filter(({ stated }) => stated.notes)).not.toEqual([]);
});

test('the units are those of the course in its order, and a quiz has an outcome', () => {
  const { course } = contents;
  const units = unitsOf(course);
  expect(made.flatMap((patient) => patient.units).some(({ quiz }) => quiz !== null)).toBe(true);
  for (const patient of made) {
    expect(patient.units.map(({ unitId }) => unitId)).toEqual(
      units.slice(0, patient.units.length).map(({ unitId }) => unitId),
    );
    for (const { unitId, quiz } of patient.units) {
      const unit = units.find((each) => each.unitId === unitId);
      if (unit?.type !== 'quiz') expect(quiz).toBeNull();
      else expect(answerProblems(unit.questions ?? [], quiz?.answers ?? [])).toEqual([]);
    }
  }
});
