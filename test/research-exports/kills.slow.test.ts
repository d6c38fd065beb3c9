import { createHash, randomInt } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyRevoked } from '../../functions/receipts/stores/signer-check.ts';
import { consentIntervals, isWithin } from '../../functions/research-exports/rules/consent-intervals.ts';
import type { ResearchExport } from '../../functions/research-exports/rules/export.ts';
import { noticeOf, pageSeconds } from '../../functions/research-exports/rules/notice.ts';
import { decisionKey, putText, readText, rowsKey } from '../../functions/research-exports/stores/export-files.ts';
import { putNotices } from '../../functions/research-exports/stores/notices.ts';
import type { Decided } from '../../functions/research-exports/workflows/decide.ts';
import { noteConcern, putConcern } from '../../functions/research-exports/workflows/put-concern.ts';
import { sizes as functionSizes } from '../../lib/stack/settings.ts';
import { type Kill, Killed, openWorld, type ResearchWorld, rowsIn } from './world.ts';

/** An export of 200 participants of 60 days whose invocations end anywhere, and what changes while it is made. */

let world: ResearchWorld;
let study: Awaited<ReturnType<ResearchWorld['study']>>;
let whole: Map<string, string>;
let calls = 0;
const wholeFiles = ['participants', 'diary', 'questionnaires', 'learning'].map((name) => `${name}.ndjson`);

beforeAll(async () => {
  world = await openWorld();
  study = await world.study({ patients: 200, days: 60, seed: 20 });
  const requested = await world.request(study.studyId);
  await world.work(requested);
  calls = world.calls();
  whole = await textsOf(requested);
});
afterAll(() => world.close());

async function textsOf(requested: ResearchExport) {
  return new Map(await Promise.all(wholeFiles.map(async (name) => [name, await world.text(requested, name)] as const)));
}

function participantsOf(texts: ReadonlyMap<string, string>): unknown[] {
  return rowsIn(texts.get('participants.ndjson') ?? '').map(({ pseudonym }) => pseudonym);
}

test('undisturbed it has all who consent, each once, with the nights of their consents', () => {
  const wanted = study.patients.filter(({ userId }) => study.chains.get(userId)?.at(-1)?.action === 'agreed');
  expect(wanted.length).toBeGreaterThan(100);
  expect(participantsOf(whole).toSorted()).toEqual(wanted.map(({ userId }) => study.nameOf(userId)).toSorted());
  const nights = wanted.map(({ userId, nights: written }) => {
    const intervals = consentIntervals(study.chains.get(userId) ?? [], []);
    return written.filter(({ writtenAt }) => isWithin(intervals, writtenAt)).length;
  });
  expect(rowsIn(whole.get('diary.ndjson') ?? '').length).toBe(nights.reduce((sum, count) => sum + count, 0));
});

test('killed at 20 random calls it ends complete: no participant twice or left out, and every file the same', async () => {
  // One in each twentieth, so far apart that no message uses up its four tries.
  const stretch = Math.floor(calls / 20);
  const kills = Array.from({ length: 20 }, (_, index): Kill => {
    const at = 1 + index * stretch + randomInt(Math.floor(stretch / 3));
    return { at, when: randomInt(2) === 0 ? 'before' : 'after' };
  });
  const told = JSON.stringify(kills);
  const requested = await world.request(study.studyId);
  const { fired } = await world.work(requested, { kills });
  expect({ told, fired }).toEqual({ told, fired: 20 });
  expect({ told, status: (await world.row(requested)).status }).toEqual({ told, status: 'done' });
  expect(await textsOf(requested)).toEqual(whole);
});

describe('a small study, killed before and after each call', () => {
  let small: Awaited<ReturnType<ResearchWorld['study']>>;
  const sizes = { pageEnrolments: 3, partBytes: 6 * 1024 * 1024 };
  beforeAll(async () => {
    small = await world.study({ patients: 7, days: 5, seed: 8 });
  });

  test.each(['before', 'after'] as const)('%s each', async (when) => {
    const usual = await world.request(small.studyId);
    await world.work(usual, { sizes });
    const [most, expected] = [world.calls(), await textsOf(usual)];
    expect(participantsOf(expected).length).toBeGreaterThan(2);
    // Every ninth: the two tests begin at different ones, and each run at others.
    for (let at = 1 + randomInt(9); at <= most; at += 9) {
      const requested = await world.request(small.studyId);
      await world.work(requested, { sizes, kills: [{ at, when }] });
      expect({ at, status: (await world.row(requested)).status }).toEqual({ at, status: 'done' });
      expect(await textsOf(requested)).toEqual(expected);
    }
  });

  test('what is killed at each try of a message is given up, and nothing of it stays', async () => {
    const requested = await world.request(small.studyId);
    const kills = Array.from({ length: 100 }, (_, at): Kill => ({ at: at + 1, when: 'before' }));
    await world.work(requested, { sizes, kills });
    expect(await world.row(requested)).toMatchObject({ status: 'failed', failure: 'GIVEN_UP' });
    expect(await world.keys(`${requested.studyId}/${requested.exportId}/`)).toEqual([]);
  });

  test('with a key that is revoked no manifest is signed, and the export is not done', async () => {
    const requested = await world.request(small.studyId);
    const maySign = () => Promise.reject(new KeyRevoked());
    await expect(world.work(requested, { sizes, maySign })).rejects.toThrow(KeyRevoked);
    expect((await world.row(requested)).status).toBe('running');
    const names = await world.keys(`${requested.studyId}/${requested.exportId}/`);
    expect(names.filter((name) => name.startsWith('manifest'))).toEqual([]);
  });
});

test('a file of several parts, killed between two, after one and after the last, goes on where it was, and is whole', async () => {
  const large = await world.study({ patients: 40, days: 2, seed: 31 });
  const requested = await world.request(large.studyId, { dataClasses: ['diary'] });
  do await world.work(requested, { deliveries: 1 });
  while ((await world.row(requested)).step.kind !== 'write');
  // As if each had written for many years: S3 takes no parts below five megabytes.
  const [each, { files }, row] = [1_500, world, await world.row(requested)];
  const decided: Decided = JSON.parse(await readText(files, decisionKey(row, row.decidedAt ?? 0)));
  const writers = decided.sources.filter((source) => source.files.includes('diary'));
  expect(writers.length).toBeGreaterThan(20);
  for (const source of writers) {
    const { pseudonym } = source;
    const nights = Array.from({ length: each }, (_, awakenings) => JSON.stringify({ pseudonym, awakenings }));
    await putText(files, rowsKey(row, source, 'diary'), `${nights.join('\n')}\n`);
  }
  const commands: string[] = [];
  const kills = ['before the second part', 'after the second part', 'after the last part'];
  world.onCall(async (_number, command) => {
    const [last, before] = [commands.at(-1), commands.filter((name) => name === 'UploadPartCommand').length];
    commands.push(command);
    const isNow =
      (kills.length === 3 && command === 'UploadPartCommand' && before === 1) ||
      (kills.length === 2 && last === 'UploadPartCommand' && before === 3) ||
      (kills.length === 1 && last === 'CompleteMultipartUploadCommand');
    if (isNow && kills.shift()) throw new Killed();
  });
  await world.work(requested);
  world.onCall(undefined);
  expect(kills).toEqual([]);
  const { files: made, status } = await world.row(requested);
  const text = await world.text(requested, 'diary.ndjson');
  const found = rowsIn(text).map(({ pseudonym, awakenings }) => `${pseudonym} ${awakenings}`);
  const wanted = writers.flatMap(({ pseudonym }) =>
    Array.from({ length: each }, (_, index) => `${pseudonym} ${index}`),
  );
  expect(found.length).toBe(wanted.length);
  expect(found.join() === wanted.join()).toBe(true);
  const sha256 = createHash('sha256').update(text).digest('hex');
  expect([status, made.find(({ name }) => name === 'diary.ndjson')]).toMatchObject([
    'done',
    { bytes: Buffer.byteLength(text), rows: wanted.length, sha256 },
  ]);
});

describe('what changes while it is made', () => {
  const sizes = { pageEnrolments: 2, partBytes: 6 * 1024 * 1024 };
  async function smallStudy() {
    const small = await world.study({ patients: 9, days: 4, seed: randomInt(1_000_000) });
    const here = small.enrolments.filter(({ userId }) => small.chains.get(userId)?.at(-1)?.action === 'agreed');
    const [first] = here;
    const last = here.at(-1);
    if (!first || !last || first === last) throw new Error('too few of them consent');
    return { small, here, first, last };
  }
  async function revoke(small: Awaited<ReturnType<ResearchWorld['study']>>, userId: string) {
    const before = small.chains.get(userId)?.at(-1);
    if (!before) throw new Error('nothing to revoke');
    const record = {
      ...before,
      action: 'revoked',
      sequence: before.sequence + 1,
      recordedAt: '2026-11-22T12:00:00.000Z',
    };
    await world.put('ConsentRecords', { userAgreement: `${userId}#${before.agreementId}`, ...record });
    await world.put('ConsentStates', record);
  }

  test('whoever revokes before their page is read is not in it', async () => {
    const { small, here, last } = await smallStudy();
    const requested = await world.request(small.studyId);
    world.onCall(async (number) => {
      if (number === 3) await revoke(small, last.userId);
    });
    await world.work(requested, { sizes });
    world.onCall(undefined);
    const names = participantsOf(await textsOf(requested));
    expect(names).not.toContain(small.nameOf(last.userId));
    expect(names.length).toBe(here.length - 1);
  });

  test('whoever revokes between the reading of their page and its step is not in it either', async () => {
    const { small, here, first } = await smallStudy();
    let isRevoked = false;
    const requested = await world.request(small.studyId);
    world.onCall(async () => {
      // The objects of the first page lie there, and the step is not made.
      const isPut = (await world.keys(`${requested.studyId}/${requested.exportId}/`)).length > 0;
      if (isRevoked || !isPut) return;
      isRevoked = true;
      await revoke(small, first.userId);
    });
    await world.work(requested, { sizes });
    world.onCall(undefined);
    expect(isRevoked).toBe(true);
    const names = participantsOf(await textsOf(requested));
    expect(names).not.toContain(small.nameOf(first.userId));
    expect(names.length).toBe(here.length - 1);
  });

  test('whoever left since their page was read is left out of the files, whatever they allow to keep', async () => {
    const { small, here, first } = await smallStudy();
    const requested = await world.request(small.studyId);
    do await world.work(requested, { sizes, deliveries: 1 });
    while ((await world.row(requested)).step.kind === 'read');
    const leaver = { pseudonym: small.nameOf(first.userId), studyId: small.studyId };
    const at = '2026-11-22T12:00:00.000Z';
    expect(await putNotices(world.tables, leaver, { reason: 'left', keepExported: true, at })).toBe(1);
    await world.work(requested, { sizes });
    const names = participantsOf(await textsOf(requested));
    expect(names).not.toContain(small.nameOf(first.userId));
    expect(names.length).toBe(here.length - 1);
    expect((await world.row(requested)).smallCells?.withdrawn).toBe(1);
  });

  test('whoever joins meanwhile is in the next one, wherever in the order', async () => {
    const { small, here, first, last } = await smallStudy();
    const requested = await world.request(small.studyId);
    world.elapse(60_000);
    const enrolledAt = world.now().toISOString();
    for (const enrolment of [first, last]) await world.put('Enrolments', { ...enrolment, enrolledAt });
    await world.work(requested, { sizes });
    expect(participantsOf(await textsOf(requested)).length).toBe(here.length - 2);
    const later = await world.request(small.studyId);
    await world.work(later, { sizes });
    expect(participantsOf(await textsOf(later)).length).toBe(here.length);
  });

  test('whoever revokes and joins again before any event came has a notice in the exports until then, and in no later one', async () => {
    const { small, first } = await smallStudy();
    const earlier = await world.request(small.studyId);
    await world.work(earlier, { sizes });
    const before = small.chains.get(first.userId)?.at(-1)?.sequence ?? 0;
    const again = { before, now: before + 2 };
    const occasion = { reason: 'left', keepExported: false, at: '2026-11-22T12:01:00.000Z' } as const;
    const concern = { userId: first.userId, studyId: small.studyId, occasion, between: again };
    // Two consents one after the other, without a revocation: nobody left.
    expect(await putConcern(world.tables, concern)).toBe(0);
    await revoke(small, first.userId);
    const consent = small.chains.get(first.userId)?.at(-1);
    const record = { ...consent, sequence: again.now, recordedAt: occasion.at };
    await world.put('ConsentRecords', { userAgreement: `${first.userId}#${first.agreementId}`, ...record });
    await world.put('ConsentStates', record);
    const joined = { consentSequence: again.now, consentRecordedAt: occasion.at };
    await world.put('Enrolments', { ...first, ...joined });
    const later = await world.request(small.studyId);
    await world.work(later, { sizes });
    expect(participantsOf(await textsOf(later))).toContain(small.nameOf(first.userId));
    expect(await putConcern(world.tables, concern)).toBe(1);
    expect(await world.notices(small.studyId)).toMatchObject([{ exportId: earlier.exportId, action: 'delete' }]);
  });

  test('whoever revokes, consents twice and joins again before any event came has a notice, too', async () => {
    const { small, first } = await smallStudy();
    const earlier = await world.request(small.studyId);
    await world.work(earlier, { sizes });
    const before = small.chains.get(first.userId)?.at(-1)?.sequence ?? 0;
    await revoke(small, first.userId);
    const consent = small.chains.get(first.userId)?.at(-1);
    const at = ['2026-11-22T12:01:00.000Z', '2026-11-22T12:02:00.000Z'];
    for (const [index, recordedAt] of at.entries()) {
      const record = { ...consent, action: 'agreed', sequence: before + 2 + index, recordedAt };
      await world.put('ConsentRecords', { userAgreement: `${first.userId}#${first.agreementId}`, ...record });
    }
    const occasion = { reason: 'left', keepExported: false, at: at[1] ?? '' } as const;
    await world.put('Enrolments', { ...first, consentSequence: before + 3, consentRecordedAt: occasion.at });
    const concern = { userId: first.userId, studyId: small.studyId, occasion, between: { before, now: before + 3 } };
    expect(await putConcern(world.tables, concern)).toBe(1);
  });

  test.each([
    ['with the number of no record', 'Enrolments', { consentSequence: 1_000_000 }],
    ['with the time of no record', 'Enrolments', { consentRecordedAt: '2026-11-22T12:01:00.000Z' }],
    ['whose account says what is no time', 'Accounts', { part: 'account', ends: ['soon'] }],
  ] as const)('a participation %s is not exported', async (_case, table, planted) => {
    const { small, first } = await smallStudy();
    await world.put(table, { ...(table === 'Enrolments' ? first : { userId: first.userId }), ...planted });
    const requested = await world.request(small.studyId);
    await world.work(requested, { sizes });
    expect(participantsOf(await textsOf(requested))).not.toContain(small.nameOf(first.userId));
  });

  test('a message ends no participation that goes on, and decides nothing about exported data', async () => {
    const { small, first } = await smallStudy();
    const earlier = await world.request(small.studyId);
    await world.work(earlier, { sizes });
    const last = small.chains.get(first.userId)?.at(-1);
    const again = { ...last, sequence: (last?.sequence ?? 0) + 1, recordedAt: '2026-11-22T12:01:00.000Z' };
    await world.put('ConsentRecords', { userAgreement: `${first.userId}#${first.agreementId}`, ...again });
    const joined = { ...first, consentSequence: again.sequence, consentRecordedAt: again.recordedAt };
    await world.put('Enrolments', joined);
    const left = (at: string, keepExported: boolean) => ({ reason: 'left', at, keepExported }) as const;
    const note = (occasion: ReturnType<typeof left>) =>
      putConcern(world.tables, { userId: first.userId, studyId: small.studyId, occasion });
    // Between two consents, of which none was revoked.
    expect(await note(left('2026-11-22T12:00:30.000Z', false))).toBe(0);
    const leftAt = '2026-11-22T12:02:00.000Z';
    await world.put('Enrolments', { ...joined, leftAt, keepExported: true });
    expect(await note(left('2026-11-22T12:02:00.001Z', false))).toBe(0);
    await expect(note(left(leftAt, false))).rejects.toMatchObject({ name: 'StillConsents' });
    // What no honest function sends: with it, the choice of the participant would not count.
    for (const planted of [{ reason: 'x' }, { reason: ['left'] }, { reason: 'amended', at: 'zzzz' }]) {
      const occasion = { ...left(leftAt, false), ...planted } as unknown as ReturnType<typeof left>;
      const concern = { userId: first.userId, studyId: small.studyId, occasion };
      const noted = noteConcern({ tables: world.tables, send: async () => undefined }, concern);
      await expect(noted).rejects.toMatchObject({ name: 'NotTellable' });
    }
    // An end that is dated before the consent, where there was none.
    const before = '2020-01-01T00:00:00.000Z';
    await world.put('Enrolments', { ...joined, leftAt: before, keepExported: false });
    await expect(note(left(before, false))).rejects.toMatchObject({ name: 'StillConsents' });
    await world.put('Enrolments', { ...joined, leftAt, keepExported: true });
    expect(await world.notices(small.studyId)).toEqual([]);
    const revoked = { ...again, action: 'revoked', sequence: again.sequence + 1, recordedAt: leftAt };
    await world.put('ConsentRecords', { userAgreement: `${first.userId}#${first.agreementId}`, ...revoked });
    // Whoever writes enrolments may date its consent into the future: the ledger says when it was.
    const dated = { ...joined, leftAt, keepExported: true, consentRecordedAt: '2999-01-01T00:00:00.000Z' };
    await world.put('Enrolments', dated);
    expect(await note(left(leftAt, false))).toBe(1);
    expect(await world.notices(small.studyId)).toMatchObject([{ exportId: earlier.exportId, action: 'keep' }]);
  });

  test('two functions at once: one works, and the files are the same', async () => {
    const { small, here } = await smallStudy();
    const requested = await world.request(small.studyId);
    const both = await Promise.allSettled([world.work(requested, { sizes }), world.work(requested, { sizes })]);
    const reasons = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.name)] : []));
    expect(reasons.filter((name) => name !== 'Overtaken')).toEqual([]);
    await world.work(requested, { sizes });
    expect((await world.row(requested)).status).toBe('done');
    const names = participantsOf(await textsOf(requested));
    expect([names.length, new Set(names).size]).toEqual([here.length, here.length]);
  });

  test('whoever is erased has a notice in each export that they are in, and nobody else has', async () => {
    const { small, first, last } = await smallStudy();
    const [one, other] = [await world.request(small.studyId), await world.request(small.studyId)];
    for (const requested of [one, other]) await world.work(requested, { sizes });
    const named = { studyId: small.studyId, pseudonym: small.nameOf(first.userId) };
    const occasion = { reason: 'erased', at: '2026-11-23T00:00:00.000Z' } as const;
    const concern = { userId: first.userId, studyId: small.studyId, occasion };
    // Who takes part is neither erased nor has left, whatever a message says.
    const left = { ...concern, occasion: { ...occasion, reason: 'left', keepExported: false } } as const;
    const forged = [concern, left, { ...left, occasion: { ...left.occasion, at: '2020-01-01T00:00:00.000Z' } }];
    for (const each of forged) expect(await putConcern(world.tables, each)).toBe(0);
    const Key = { studyId: small.studyId, userId: first.userId };
    await world.client.send(new DeleteCommand({ TableName: 'Enrolments', Key }));
    expect(await putConcern(world.tables, concern)).toBe(2);
    expect(await putConcern(world.tables, concern)).toBe(2);
    const expected = [one, other].map(({ exportId }) => noticeOf({ ...named, exportId }, occasion));
    expect(await world.notices(small.studyId)).toEqual(
      expected.toSorted((a, b) => (a.noticeKey < b.noticeKey ? -1 : 1)),
    );
    const amended = { userId: last.userId, studyId: null, occasion: { ...occasion, reason: 'amended' } } as const;
    // Of an enrolment that is by user, in which the test's people are not.
    expect(await putConcern(world.tables, amended)).toBe(0);
    await world.put('UserEnrolments', last);
    expect(await putConcern(world.tables, amended)).toBe(2);
    const before = { ...amended, occasion: { reason: 'amended', at: '2026-11-01T00:00:00.000Z' } } as const;
    expect(await putConcern(world.tables, before)).toBe(0);
    // A diary entry that was there when the exports were made, and one that came later.
    const entry = (entryArrivedAt: string) => ({ ...amended, occasion: { ...amended.occasion, entryArrivedAt } });
    expect(await putConcern(world.tables, entry('2026-11-20T00:00:00.000Z'))).toBe(2);
    expect(await putConcern(world.tables, entry('2026-11-22T23:00:00.000Z'))).toBe(0);
  });

  test('a correction while an export is made has its notice, even if the page is committed after its message', async () => {
    const { small, first } = await smallStudy();
    await world.put('UserEnrolments', first);
    const sent: [message: unknown, delaySeconds: number][] = [];
    const deps = {
      tables: world.tables,
      send: async (...message: (typeof sent)[number]) => void sent.push(message),
    };
    const requested = await world.request(small.studyId);
    const occasion = { reason: 'amended', at: '2026-11-23T00:00:00.000Z' } as const;
    const concern = { userId: first.userId, studyId: null, occasion };
    expect(await noteConcern(deps, concern)).toBe(0);
    const again = { ...concern, isSettled: true } as const;
    expect(sent).toEqual([[again, pageSeconds]]);
    expect(pageSeconds).toBeGreaterThan(functionSizes.longConsumer.timeoutSeconds);
    await world.work(requested, { sizes });
    expect(await noteConcern(deps, again)).toBe(1);
    expect(await world.notices(small.studyId)).toMatchObject([{ exportId: requested.exportId, action: 'update' }]);
    // Once all exports are done, or the message came again, no further one is sent.
    expect(await noteConcern(deps, concern)).toBe(1);
    const next = await world.request(small.studyId);
    expect(await noteConcern(deps, again)).toBe(1);
    expect(await noteConcern(deps, { ...concern, occasion: { reason: 'erased', at: occasion.at } })).toBe(0);
    expect(sent).toHaveLength(1);
    await world.work(next, { sizes });
  });
});
