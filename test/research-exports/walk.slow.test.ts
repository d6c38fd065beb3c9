import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import type { StoredEvent } from '../../functions/audit/rules/audit-event.ts';
import { baseUrl, client, isDeployed, signIn } from '../api.ts';
import { eventually } from '../eventually.ts';
import { hangMs } from '../hang.ts';
import {
  accepted,
  consenting,
  openStudy,
  own,
  type Researcher,
  researcher,
  revoking,
  studyPath,
} from '../research/people.ts';
import { daysAgo, entryOf } from '../sleep/diary.ts';

/** A researcher's walk: a study, people in it, its files, and somebody who leaves. */

let staff: Researcher;
beforeAll(async () => {
  staff = await researcher();
});

const exportsOf = (studyId: string) => `${studyPath(studyId)}/exports`;

async function exported(studyId: string) {
  const { exportId } = await accepted(staff.post(exportsOf(studyId)));
  return eventually(async () => {
    const { body } = await staff.get(`${exportsOf(studyId)}/${exportId}`);
    if (body.status !== 'done') throw new Error(`it is ${JSON.stringify(body)}`);
    return body;
  });
}

/** The audit events of addresses of a study's files, newest first. */
async function issued(studyId: string) {
  const admin = await client({ application: 'medinfo', roles: 'admin' });
  const { items } = await accepted(admin.get(`/admin/audit-events?subject=study/${studyId}&limit=100`));
  return (items as StoredEvent[]).filter(({ action }) => action === 'research-export.addresses-issued');
}

async function loaded(found: { files: { name: string; sha256: string; downloadUrl: string }[] }, name: string) {
  const file = found.files.find((each) => each.name === name);
  const answer = await fetch(file?.downloadUrl ?? '');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  const text = await answer.text();
  expect(createHash('sha256').update(text).digest('hex')).toBe(file?.sha256);
  return parse(text, { columns: true }) as Record<string, string>[];
}

test('a study is exported, loaded, somebody revokes, and it is exported again', async () => {
  const { studyId, code } = await openStudy(staff, { dataClasses: ['diary', 'learning'] });
  const people = await Promise.all(Array.from({ length: 2 }, consenting));
  for (const person of people) await accepted(person.post(own, { body: { code } }));
  const first = await exported(studyId);
  // Fewer than five are not counted.
  expect(first).toMatchObject({ enrolments: null, participants: null, isWithdrawn: false, failure: null });
  const [before, other] = (await loaded(first, 'participants.csv')).map(({ pseudonym }) => pseudonym);
  expect(new Set([before, other]).size).toBe(2);
  expect(await loaded(first, 'diary.csv')).toEqual([]);
  // Reading an export that is under way issued nothing; then each answer with addresses has an event.
  const { exportId } = first;
  const eventOf = ({ downloadUrlsExpireAt }: { downloadUrlsExpireAt: string }) => ({
    actor: staff.user,
    subject: `study/${studyId}`,
    after: { exportId, downloadUrlsExpireAt },
  });
  expect(await issued(studyId)).toMatchObject([eventOf(first)]);
  const more = await accepted(staff.get(`${exportsOf(studyId)}/${exportId}`));
  const events = await issued(studyId);
  expect(events).toMatchObject([eventOf(more), eventOf(first)]);

  await accepted(people[0]?.delete(revoking) ?? Promise.reject(new Error('nobody')));
  const notices = await eventually(async () => {
    const { body } = await staff.get(`${studyPath(studyId)}/notices`);
    if (body.items.length === 0) throw new Error('no notice');
    return body.items as { pseudonym: string }[];
  });
  expect(notices).toEqual([
    {
      exportId,
      pseudonym: expect.any(String),
      reason: 'left',
      action: 'delete',
      on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    },
  ]);
  const again = await staff.get(`${exportsOf(studyId)}/${exportId}`);
  expect(again.body).toMatchObject({ isWithdrawn: true, downloadUrlsExpireAt: null });
  expect(again.body.files).toHaveLength(first.files.length);
  for (const file of again.body.files) expect(file).toMatchObject({ downloadUrl: null, bytes: null, rows: null });
  expect(await issued(studyId)).toEqual(events);
  const second = await exported(studyId);
  const left = (await loaded(second, 'participants.csv')).map(({ pseudonym }) => pseudonym);
  expect(left).toEqual([before, other].filter((name) => name !== notices[0]?.pseudonym));
  const { body: list } = await staff.get(exportsOf(studyId));
  expect(list.items.map((each: { exportId: string }) => each.exportId)).toEqual([second.exportId, exportId]);
  expect((await staff.get(`${studyPath(studyId)}/notices?exportId=${second.exportId}`)).body.items).toEqual([]);
});

test('a diary entry that is corrected after an export has a notice', async () => {
  const { studyId, code } = await openStudy(staff, { dataClasses: ['diary'] });
  const person = await consenting();
  await accepted(person.post(own, { body: { code } }));
  const night = daysAgo(2);
  const write = (more: object) => person.put(`/sleep/entries/${night}`, { body: entryOf(night, more) });
  await accepted(write({}));
  const first = await exported(studyId);
  expect(await loaded(first, 'diary.csv')).toMatchObject([{ quality: '4' }]);
  await accepted(write({ quality: 2 }));
  const notices = await eventually(async () => {
    const { items } = await accepted(staff.get(`${studyPath(studyId)}/notices`));
    if (items.length === 0) throw new Error('no notice');
    return items;
  });
  const { exportId } = first;
  expect(notices).toMatchObject([{ exportId, reason: 'amended', action: 'update' }]);
});

test('the files verify as the page on research says, and none that was changed does', async () => {
  const { studyId } = await openStudy(staff, { dataClasses: ['diary'] });
  const found = await exported(studyId);
  const page = readFileSync(new URL('../../docs/domains/research.md', import.meta.url), 'utf8');
  const script = /<!-- research-manifest -->\n```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'research-'));
  const keys = `${baseUrl()}/.well-known/jwks.json`;
  const verify = (study: string, of: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, study, of, folder, keys]);
  for (const { name, downloadUrl } of [...found.files, ...found.manifests]) {
    const answer = await fetch(downloadUrl);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/);
    expect(answer.headers.get('content-type')).toMatch(
      /^(text\/csv; charset=utf-8|application\/(json|jose|x-ndjson))$/,
    );
    writeFileSync(join(folder, name), await answer.text());
  }
  const manifest = readFileSync(join(folder, 'manifest.jws'), 'utf8').trim();
  // Without a token: recipients of the files have no account.
  const asked = async (text: string) => {
    const body = JSON.stringify({ manifest: text });
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch(`${baseUrl('medinfo')}/research/manifests/verify`, { method: 'POST', headers, body })).json();
  };
  expect(await asked(manifest)).toEqual({ valid: true, reason: null, differs: [], warning: null });
  const [head, payload, signature] = manifest.split('.');
  const altered = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()), iat: 1 }),
  );
  expect(await asked(`${head}.${altered.toString('base64url')}.${signature}`)).toMatchObject({
    reason: 'BAD_SIGNATURE',
  });
  expect(await asked('x')).toMatchObject({ valid: false, reason: 'MALFORMED' });
  const { stdout } = await verify(studyId, found.exportId);
  const genuine = found.files.map(({ name }: { name: string }) => `${name} is genuine`);
  expect(stdout.trim().split('\n')).toEqual(genuine);
  await expect(verify('another', found.exportId)).rejects.toThrow(/sub/);
  await expect(verify(studyId, 'another')).rejects.toThrow(/another export/);
  writeFileSync(join(folder, 'diary.csv'), 'changed');
  await expect(verify(studyId, found.exportId)).rejects.toThrow(/diary.csv is not/);
  rmSync(folder, { recursive: true });
});

// What is pasted uses the local stage's users.
test.skipIf(isDeployed())('the walk of the page on research goes as the text says', async () => {
  const page = readFileSync(new URL('../../docs/domains/research.md', import.meta.url), 'utf8');
  const shell = /<!-- research-exports -->\n```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const [staffToken, me] = [await signIn({ application: 'medinfo', roles: 'researcher' }), await signIn()];
  const here = shell
    .replace(/^RESEARCHER=.*$/m, `RESEARCHER=${staffToken}`)
    .replace(/^PATIENT=.*$/m, `PATIENT=${me}`)
    .replaceAll('$API/v2', baseUrl('medinfo'))
    .replaceAll('$API/de/v1', baseUrl());
  const { stdout } = await promisify(execFile)('sh', ['-c', here], { timeout: hangMs });
  const lines = stdout.trim().split(/\r?\n/);
  const pseudonym = lines.find((line) => /^[0-9a-f]{32},/.test(line))?.slice(0, 32);
  const notice = lines.find((line) => line.includes('"action":"delete"')) ?? '';
  expect(JSON.parse(notice).items).toMatchObject([{ pseudonym, reason: 'left' }]);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ status: 'done', isWithdrawn: false });
  expect(JSON.parse(lines.at(-1) ?? '').files[0]).toMatchObject({ name: 'participants.csv', rows: 0 });
});
