import { mkdtempSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedMembers } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { signedIn } from '../agreements/stage.ts';
import { eventually } from '../eventually.ts';
import { typed } from '../typed.ts';

/** `npm run cli -- publish-content`, from an empty stage to what the apps ask for. */

let stage: RunningStage;
const folder = mkdtempSync(join(tmpdir(), 'content-'));

beforeAll(async () => {
  stage = await startStage({ seed: seedMembers, rateLimit: false });
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const publish = (...words: string[]) =>
  typed(['publish-content', ...words], { ...process.env, PORT: String(stage.port) });

/** What the stage has, by what an app or the staff asks for. */
async function content() {
  const patient = await signedIn(stage, 'patient', 'sleepcare');
  const admin = await signedIn(stage, 'admin', 'medinfo');
  const count = async (path: string, as = admin) => (await as('GET', path)).body.items.length;
  const policy = await admin('GET', '/mobile/app-version/policies/sleepcare/ios');
  return [
    await count('/users/agreements', patient),
    await count('/questionnaires'),
    await count('/admin/questionnaires/bundles'),
    await count('/learning/courses', patient),
    policy.status,
  ];
}

const nothing = [0, 0, 0, 0, 404];
const all = [5, 7, 8, 1, 200];

test('one wrong file of many is named, and nothing is published', async () => {
  await cp('functions/questionnaires/seed', folder, { recursive: true });
  await cp('functions/agreements/seed/sleepcare', join(folder, 'sleepcare'), { recursive: true });
  await rm(join(folder, 'sleepcare', 'marketing-1.0.de.md'));
  const isi = JSON.parse(await readFile(join(folder, 'isi.json'), 'utf8'));
  await writeFile(join(folder, 'isi.json'), JSON.stringify({ ...isi, questionnaireId: undefined }));
  const { code, err } = await publish('--local', '--file', folder);
  expect(code).toBe(1);
  expect(err).toContain('isi.json: ');
  expect(err).toContain('questionnaireId');
  expect(err).toMatch(/catalogue\.json: .*marketing-1\.0\.de\.md/);
  expect(await content()).toEqual(nothing);
});

test('a dry run needs no stage', async () => {
  const { code, out } = await typed(['publish-content', '--file', 'functions', '--dry-run']);
  expect(code).toBe(0);
  for (const line of [
    'questionnaire phq-9 ',
    'bundle ',
    'agreement marketing ',
    'version policy of medinfo on android',
  ])
    expect(out).toContain(line);
  expect(await content()).toEqual(nothing);
});

test('all of a folder, and again: nothing changes', async () => {
  const { code, err } = await publish('--local', '--file', 'functions');
  expect([code, err]).toEqual([0, '']);
  // Functions keep the catalogue for some seconds.
  await eventually(async () => expect(await content()).toEqual(all));
  const again = await publish('--local', '--file', 'functions');
  expect(again.code).toBe(0);
  expect(again.out.match(/there already/g)).toHaveLength(12);
  expect(again.out).not.toMatch(/added/);
  // Functions keep the catalogue for some seconds.
  await eventually(async () => expect(await content()).toEqual(all));
});

test('a path without content, and answers to more than one file, are refused', async () => {
  expect((await publish('--local', '--file', 'docs/security')).err).toContain('docs/security: no content is there');
  const several = await publish('--file', 'functions/questionnaires/seed', '--answers', 'README.md');
  expect(several.err).toContain('--answers takes one --file');
});
