import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, newAgreement, newDraft, openStage, signedIn } from '../agreements/stage.ts';
import { typed } from '../typed.ts';

/** The route, the consumer of the stream and the commands, on a stage whose catalogue is this test's. */

let opened: Awaited<ReturnType<typeof openStage>>;
let folder: string;
let agreementId: string;
let versions: [first: string, second: string];
let users: Caller[];

const today = () => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'statistics-'));
  opened = await openStage();
  const { admin, stage } = opened;
  agreementId = await newAgreement(admin);
  const publish = async (text: string) => {
    const versionId = await newDraft(admin, agreementId, { en: text });
    const { status, body } = await admin('POST', `/agreements/versions/${versionId}/publish`, {});
    if (status !== 200) throw new Error(JSON.stringify(body));
    return versionId;
  };
  users = await Promise.all([1, 2, 3, 4].map(() => signedIn(stage, 'patient', 'sleepcare')));
  const agree = async (user: Caller | undefined, versionId: string) => {
    const answer = await user?.('POST', `/agreements/versions/${versionId}/agree`, {});
    if (answer?.status !== 200) throw new Error(JSON.stringify(answer?.body));
  };
  const first = await publish('one');
  for (const user of users) await agree(user, first);
  await users[1]?.('DELETE', `/users/agreements/${agreementId}/consent`);
  await users[3]?.('DELETE', `/users/agreements/${agreementId}/consent`);
  const second = await publish('two');
  await agree(users[0], second);
  // By the route for several, whose records are counted as any.
  const atOnce = await users[3]?.('POST', '/users/agreements', { versionIds: [second] });
  if (atOnce?.status !== 200) throw new Error(JSON.stringify(atOnce?.body));
  versions = [first, second];
});

afterAll(async () => {
  await opened?.close();
  await rm(folder, { recursive: true });
});

async function statistics(query = '') {
  const { status, body } = await opened.admin('GET', `/agreements/${agreementId}/statistics${query}`);
  expect(status).toBe(200);
  return body;
}

const none = { agreeing: 0, reconsentDue: 0, revoked: 0, agreements: 0, revocations: 0, returns: 0, replaced: 0 };

describe('200', () => {
  test('who agrees, who revoked, and who must agree again, by version and day', async () => {
    const [first, second] = versions;
    const all = { agreeing: 3, reconsentDue: 1, revoked: 1, agreements: 6, revocations: 2, returns: 1, replaced: 1 };
    const ofFirst = {
      agreeing: 1,
      reconsentDue: 1,
      revoked: 1,
      agreements: 4,
      revocations: 2,
      returns: 1,
      replaced: 1,
    };
    const ofSecond = { ...none, agreeing: 2, agreements: 2 };
    await opened.stage.idle();
    expect(await statistics()).toMatchObject(all);
    const body = await statistics();
    expect(body).toMatchObject({ agreementId, application: 'sleepcare', at: expect.any(String) });
    const labelled = { label: '1.0', changeType: 'major' };
    expect(
      body.versions.toSorted((one: { status: string }, other: { status: string }) =>
        one.status < other.status ? 1 : -1,
      ),
    ).toEqual([
      { versionId: first, ...labelled, status: 'superseded', ...ofFirst },
      { versionId: second, ...labelled, status: 'active', ...ofSecond },
    ]);
    expect(body.days).toHaveLength(30);
    expect(body.days.at(-1)).toMatchObject({ date: today(), ...all });
    expect(body.days.at(-1).versions).toHaveLength(2);
    expect(body.days[0]).toMatchObject({ ...none, versions: [] });
  });

  test('imported consents count on their own days, and a rebuild comes to the same', async () => {
    const [first] = versions;
    const one = {
      userId: randomUUID(),
      agreementId,
      versionId: first,
      action: 'agreed',
      recordedAt: '2019-03-01T10:00:00Z',
    };
    const file = join(folder, 'consents.jsonl');
    const lines = [
      one,
      { ...one, action: 'revoked', recordedAt: '2019-03-03T10:00:00Z' },
      { ...one, userId: randomUUID(), recordedAt: '2019-03-02T10:00:00Z' },
      { ...one, userId: randomUUID(), versionId: 'unknown' },
    ];
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const strict = await command('import-consents', '--by', 'tests', '--file', file, '--dry-run');
    expect(strict).toMatchObject({ code: 1, err: expect.stringContaining('0 would be imported') });
    const given = ['--by', 'tests', '--file', file, '--unknown-users'];
    const dry = await command('import-consents', ...given, '--dry-run');
    expect(dry).toMatchObject({ code: 1, err: expect.stringContaining('3 would be imported') });
    const { code, out, err } = await command('import-consents', ...given);
    expect(code).toBe(1);
    expect(out).toBe('line 4: versionId: the catalogue has no published version unknown\n');
    expect(err).toContain('4 lines: 3 imported, 0 already there, 0 that change nothing, 1 refused');
    expect((await command('import-consents', '--by', 'tests', '--file', file)).err).toContain(
      '0 imported, 3 already there',
    );

    const query = '?from=2019-02-28&to=2019-03-04';
    const figures = ({ days }: { days: { date: string; agreeing: number; revoked: number }[] }) =>
      days.map(({ date, agreeing, revoked }) => [date.slice(5), agreeing, revoked]);
    const expected = [
      ['02-28', 0, 0],
      ['03-01', 1, 0],
      ['03-02', 2, 0],
      ['03-03', 1, 1],
      ['03-04', 1, 1],
    ];
    await opened.stage.idle();
    expect(figures(await statistics(query))).toEqual(expected);
    const { at: _at, ...before } = await statistics(query);
    expect(await command('rebuild-statistics')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/read from generation \d+/),
    });
    const { at: _now, ...rebuilt } = await statistics(query);
    expect(rebuilt).toEqual(before);
    // Counting goes on in the new generation.
    await users[2]?.('DELETE', `/users/agreements/${agreementId}/consent`);
    const wanted = { agreeing: before.agreeing - 1, revoked: before.revoked + 1 };
    await opened.stage.idle();
    expect(await statistics()).toMatchObject(wanted);
  });

  test("the other application's agreement, a leap year, and no day that has not begun", async () => {
    const newsletter = await opened.admin('GET', '/agreements/medinfo-newsletter/statistics');
    expect(newsletter).toMatchObject({ status: 200, body: { application: 'medinfo', ...none } });
    expect((await statistics('?from=2024-01-01&to=2024-12-31')).days).toHaveLength(366);
    expect((await statistics(`?from=${today()}`)).days.map(({ date }: { date: string }) => date)).toEqual([today()]);
    expect((await statistics('?from=2099-01-01')).days).toEqual([]);
  });
});

test.each([
  'from=yesterday',
  'from=2026-02-30',
  'from=2026-03-02&to=2026-03-01',
  'from=2024-01-01&to=2025-01-01',
  'to=2026-03-01T00:00:00Z',
])('400: %s', async (query) => {
  const { status, body } = await opened.admin('GET', `/agreements/${agreementId}/statistics?${query}`);
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
});

test('403: without the permission', async () => {
  const physician = await signedIn(opened.stage, 'physician', 'medinfo');
  expect(await physician('GET', `/agreements/${agreementId}/statistics`)).toMatchObject({ status: 403 });
});

test('404: an unknown agreement', async () => {
  const { status, body } = await opened.admin('GET', '/agreements/unknown/statistics');
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'AGREEMENT_NOT_FOUND' });
});

function command(...words: string[]) {
  return typed([...words, '--local'], { PATH: process.env.PATH, PORT: String(opened.stage.port) });
}
