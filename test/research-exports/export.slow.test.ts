import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, test } from 'vitest';
import { readAllProgress } from '../../functions/learning/exports.ts';
import { readCompleted } from '../../functions/questionnaire-responses/exports.ts';
import { manifestType } from '../../functions/receipts/rules/signed-types.ts';
import { shiftDaysOf, shifted } from '../../functions/research-exports/rules/date-shift.ts';
import type { ResearchExport } from '../../functions/research-exports/rules/export.ts';
import { writeEpisodes } from '../../functions/sleep/stores/episode-rows.ts';
import { readSigned } from '../../lib/runtime/signed.ts';
import { episodeOf as night } from '../sleep/diary.ts';
import { openWorld, type ResearchWorld, rowsIn } from './world.ts';

/** An export of a small study, from the first page to the manifest. */

const world = await openWorld();
const study = await world.study({ patients: 14, days: 20, seed: 3 });
const plain = await made({ shiftDates: false });
const moved = await made({ shiftDates: true });
afterAll(() => world.close());

async function made(asks: Parameters<ResearchWorld['request']>[1] = {}) {
  const requested = await world.request(study.studyId, asks);
  const { outcomes } = await world.work(requested);
  expect(outcomes.at(-1)).toBe('done');
  return requested;
}

describe('the files of an export', () => {
  test('are there for each data class, are what the manifest says, and nothing else lies there', async () => {
    const requested = moved;
    const { files, status } = await world.row(requested);
    expect(status).toBe('done');
    const classes = ['codebook', 'diary', 'episodes', 'learning', 'participants', 'questionnaires'];
    const planned = classes.flatMap((name) => [`${name}.csv`, `${name}.ndjson`]);
    expect(await world.keys(`${requested.studyId}/${requested.exportId}/`)).toEqual(
      [...planned, 'manifest.json', 'manifest.jws'].toSorted(),
    );
    for (const { name, bytes, sha256, rows } of files) {
      const text = await world.text(requested, name);
      expect([name, Buffer.byteLength(text), createHash('sha256').update(text).digest('hex')]).toEqual([
        name,
        bytes,
        sha256,
      ]);
      const found = name.endsWith('.csv') ? parse(text, { columns: true }) : rowsIn(text);
      expect([name, found.length]).toEqual([name, rows]);
    }
    const jws = readSigned(await world.text(requested, 'manifest.jws'), manifestType, await world.trustedKeys());
    expect(jws?.payload).toEqual(JSON.parse(await world.text(requested, 'manifest.json')));
    expect(jws?.payload).toMatchObject({ sub: requested.studyId, jti: requested.exportId, files });
  });

  test('have who consents now, under the name of the study, each once', async () => {
    const requested = moved;
    const wanted = study.patients.filter(({ userId }) => study.chains.get(userId)?.at(-1)?.action === 'agreed');
    expect(wanted.length).toBeGreaterThan(5);
    expect(wanted.length).toBeLessThan(study.enrolments.length);
    const found = rowsIn(await world.text(requested, 'participants.ndjson')).map(({ pseudonym }) => pseudonym);
    expect(found.toSorted()).toEqual(wanted.map(({ userId }) => study.nameOf(userId)).toSorted());
  });

  test('are in the order of the pseudonyms, so that the place of a row says nothing of a user id or another study', async () => {
    let isInOrderOfUsers = true;
    for (const name of ['participants', 'diary', 'questionnaires', 'learning']) {
      const names = rowsIn(await world.text(moved, `${name}.ndjson`)).map(({ pseudonym }) => String(pseudonym));
      expect([name, names]).toEqual([name, names.toSorted()]);
      expect(new Set(names).size).toBeGreaterThan(2);
      const users = study.patients.map(({ userId }) => userId).toSorted();
      const byUser = users.map((userId) => study.nameOf(userId)).filter((pseudonym) => names.includes(pseudonym));
      isInOrderOfUsers &&= byUser.join() === [...new Set(names)].join();
    }
    expect(isInOrderOfUsers).toBe(false);
  });

  test('CSV and NDJSON say the same', async () => {
    const requested = moved;
    for (const name of ['participants', 'diary', 'questionnaires', 'learning', 'codebook']) {
      const csv: Record<string, string>[] = parse(await world.text(requested, `${name}.csv`), { columns: true });
      const said = rowsIn(await world.text(requested, `${name}.ndjson`)).map((row) =>
        Object.fromEntries(Object.entries(row).map(([field, value]) => [field, value === null ? '' : String(value)])),
      );
      expect([name, csv.length]).toEqual([name, said.length]);
      expect(
        csv.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, v.replace(/^'/, '')]))),
      ).toEqual(said);
      expect(csv.length).toBeGreaterThan(5);
    }
  });

  test('have no user id, no address, no note and no text that a person typed', async () => {
    const requested = moved;
    const { files } = await world.row(requested);
    const texts = await Promise.all(files.map(({ name }) => world.text(requested, name)));
    const whole = texts.join('\n');
    for (const patient of study.patients) {
      const said = patient.nights.flatMap(({ stated }) => [
        stated.notes,
        ...(stated.medication ?? []).map(({ name }) => name),
      ]);
      const answered = patient.questionnaires.flatMap(({ responseId, answers }) => [
        responseId,
        ...answers.map(({ text }) => text),
      ]);
      for (const secret of [patient.userId, patient.email, ...said, ...answered]) {
        if (typeof secret === 'string' && secret !== '') expect(whole).not.toContain(secret);
      }
    }
  });

  test('have the nights of devices that arrived while the person consented', async () => {
    const { tables } = world;
    const name = rowsIn(await world.text(plain, 'participants.ndjson'))[0]?.pseudonym;
    const patient = study.patients.find(({ userId }) => study.nameOf(userId) === name);
    if (!patient) throw new Error('nobody takes part');
    const { userId } = patient;
    const from = study.chains.get(userId)?.at(-1)?.recordedAt ?? '';
    const early = new Date(Date.parse(from) - 1);
    const late = { ...night('2026-03-28'), zone: 'Europe/Berlin', sourceId: `note of ${userId}` };
    await writeEpisodes(tables.SleepEpisodes, { userId, inputs: [night('2026-03-27')], now: early });
    await writeEpisodes(tables.SleepEpisodes, { userId, inputs: [late], now: new Date(from) });
    const found = await made();
    const days = shiftDaysOf(study.secret, userId);
    const row = {
      pseudonym: name,
      date: shifted('2026-03-28', days),
      source: 'healthkit',
      // By the clock of the zone, and no offset is said.
      startAt: shifted('2026-03-28T00:00', days),
      endAt: shifted('2026-03-28T07:30', days),
      inBed: 0,
      asleepUnspecified: 0,
      awake: 0,
      asleepCore: 16_200,
      asleepDeep: 3_600,
      asleepREM: 5_400,
    };
    expect(rowsIn(await world.text(found, 'episodes.ndjson'))).toEqual([row]);
    const said = Object.fromEntries(Object.entries(row).map(([field, value]) => [field, String(value)]));
    expect(parse(await world.text(found, 'episodes.csv'), { columns: true })).toEqual([said]);
  });

  test('dates are moved by whole weeks, the same in all files of a participant, and only where the study says so', async () => {
    const datesOf = async (of: typeof plain) => {
      const rows = rowsIn(await world.text(of, 'diary.ndjson'));
      return Map.groupBy(rows, ({ pseudonym }) => String(pseudonym));
    };
    const [before, after] = [await datesOf(plain), await datesOf(moved)];
    const shifts = new Set<number>();
    for (const [pseudonym, rows] of before) {
      const found = after.get(pseudonym) ?? [];
      const days = (Date.parse(String(found[0]?.date)) - Date.parse(String(rows[0]?.date))) / 86_400_000;
      shifts.add(days);
      expect([Math.abs(days % 7), days < 0, days >= -364]).toEqual([0, true, true]);
      const dated = ['date', 'inBedAt', 'lightsOffAt', 'finalWakeAt', 'outOfBedAt'];
      const move = ([field, value]: [string, unknown]) =>
        [field, dated.includes(field) && value !== null ? shifted(String(value), days) : value] as const;
      expect(found).toEqual(rows.map((row) => Object.fromEntries(Object.entries(row).map(move))));
    }
    expect(shifts.size).toBeGreaterThan(3);
  });
});

describe('what is left out', () => {
  test('what the server received while the person did not consent', async () => {
    const requested = plain;
    const rows = rowsIn(await world.text(requested, 'diary.ndjson'));
    let outside = 0;
    for (const { userId, nights } of study.patients) {
      const chain = study.chains.get(userId) ?? [];
      const consents = (at: string) => chain.findLast(({ recordedAt }) => recordedAt <= at)?.action === 'agreed';
      const inside = nights.filter(({ writtenAt }) => consents(writtenAt)).map(({ date }) => date);
      const isIn = chain.at(-1)?.action === 'agreed';
      if (isIn) outside += nights.length - inside.length;
      const found = rows.filter(({ pseudonym }) => pseudonym === study.nameOf(userId)).map(({ date }) => date);
      expect(found.toSorted()).toEqual(isIn ? inside.toSorted() : []);
    }
    expect(outside).toBeGreaterThan(0);
  });

  test('a unit that was completed while the person did not consent, also where they looked at it again later', async () => {
    const pseudonymsIn = async (of: ResearchExport) =>
      rowsIn(await world.text(of, 'learning.ndjson')).map(({ pseudonym }) => pseudonym);
    const names = await pseudonymsIn(plain);
    const patient = study.patients.find(({ userId }) => names.includes(study.nameOf(userId)));
    if (!patient) throw new Error('nobody learned');
    const { userId } = patient;
    const courses = await readAllProgress(world.tables.LearningProgress, userId);
    for (const course of courses.values()) {
      // Before anybody consented, in the period of the study.
      const units = Object.entries(course.units).map(([id, unit]) => [
        id,
        { ...unit, completedAt: '2026-01-02T00:00:00.000Z' },
      ]);
      await world.put('LearningProgress', { ...course, userId, units: Object.fromEntries(units) });
    }
    const left = await pseudonymsIn(await made({ shiftDates: false }));
    expect(left).not.toContain(study.nameOf(userId));
    for (const course of courses.values()) await world.put('LearningProgress', { ...course, userId });
    expect(left).toEqual(names.filter((name) => name !== study.nameOf(userId)));
  });

  test('a response whose answers arrived before the consent, also where it was completed later', async () => {
    const responsesIn = async (of: ResearchExport) =>
      new Set(rowsIn(await world.text(of, 'questionnaires.ndjson')).map(({ response }) => response));
    const before = await responsesIn(plain);
    const names = rowsIn(await world.text(plain, 'questionnaires.ndjson')).map(({ pseudonym }) => pseudonym);
    const patient = study.patients.find(({ userId }) => names.includes(study.nameOf(userId)));
    if (!patient) throw new Error('nobody answered');
    const { tables } = world;
    const { userId } = patient;
    const ofUser = { limit: 100, after: null };
    const { found } = await readCompleted(tables.QuestionnaireResponses, userId, {}, ofUser);
    const [first] = found.filter(({ answersReceivedAt }) => {
      const chain = study.chains.get(userId) ?? [];
      return chain.findLast(({ recordedAt }) => recordedAt <= answersReceivedAt)?.action === 'agreed';
    });
    if (!first) throw new Error('too few answers');
    // In the period of the study, and before anybody consented.
    const early = '2026-01-02T00:00:00.000Z';
    const put = (answersReceivedAt: string) => {
      const part = `at#${first.completedAt}#${first.responseId}`;
      return world.put('QuestionnaireResponses', { ...first, userId, part, answersReceivedAt });
    };
    await put(early);
    const after = await responsesIn(await made({ shiftDates: false }));
    await put(first.answersReceivedAt);
    expect(before.size - after.size).toBe(1);
    expect([...after].filter((response) => !before.has(response))).toEqual([]);
  });

  test('an export is refused where a value is rare and the study says so', async () => {
    const requested = await world.request(study.studyId, {
      quasiIdentifiers: [{ field: 'timezone', smallCells: 'refuse' }],
    });
    const { outcomes } = await world.work(requested);
    expect(outcomes.at(-1)).toBe('failed');
    expect(await world.row(requested)).toMatchObject({ status: 'failed', failure: 'SMALL_CELLS', files: [] });
    expect(await world.keys(`${requested.studyId}/${requested.exportId}/`)).toEqual([]);
  });
});
