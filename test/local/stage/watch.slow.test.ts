import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { ask, projectCopy, startLocal } from './local-process.ts';

// Ten builds and syntheses, which take minutes on a busy machine.
test('a saved change answers at once, with the data kept; a declaration takes a synthesis', {
  timeout: 600_000,
}, async () => {
  const project = await projectCopy();
  const edit = (file: string, from: string, to: string) => {
    const path = join(project, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    // As editors save: a new file in place of the old one.
    writeFileSync(`${path}.new`, text.replace(from, to));
    renameSync(`${path}.new`, path);
  };
  const stage = startLocal({ args: ['--watch', '--no-rate-limit'], cwd: project });
  await stage.printed('watching lib/ and functions/');
  const count = async () => (await ask(stage.url(), '/users/agreements')).body.metadata.count;
  expect((await ask(stage.url(), '/agreements/versions/marketing-1.0/agree', 'POST')).status).toBe(200);
  expect(await count()).toBe(5);

  const handler = 'functions/consents/handlers/list-agreements.ts';
  edit(handler, 'slice(0, limit)', 'slice(0, 2)');
  await eventually(async () => expect(await count()).toBe(2));
  edit(handler, 'slice(0, 2)', 'slice(0, 1)');
  await eventually(async () => expect(await count()).toBe(1));
  expect(stage.output()).not.toContain('a declaration or the stack changed');

  edit(handler, 'slice(0, 1)', 'slice(0, ;)');
  await stage.printed(/does not compile:\n.*ERROR.*\n\n +functions\/consents\/handlers\/list-agreements\.ts:\d+:\d+:/);
  expect(await count()).toBe(1);
  edit(handler, 'slice(0, ;)', 'slice(0, 3)');
  await eventually(async () => expect(await count()).toBe(3));

  // A rule of the domain, and what every function runs on.
  edit('functions/consents/routes.ts', "path: '/users/agreements'", "path: '/users/all-agreements'");
  await stage.printed('the new template answers');
  expect((await ask(stage.url(), '/users/agreements')).status).toBe(404);
  const { body } = await ask(stage.url(), '/users/all-agreements');
  expect(body.items[2]).toMatchObject({ agreementId: 'marketing', agreed: true });

  edit('functions/domains.ts', 'THE list', '*/ };;) /*');
  await stage.printed(/the old template goes on: .*\n.*functions\/domains\.ts:\d+:\d+: ERROR/);
  expect((await ask(stage.url(), '/users/all-agreements')).status).toBe(200);

  // Files that only the template is made from: also their repair is seen.
  const answering = (times: number) =>
    eventually(() => expect(stage.output().split('the new template answers')).toHaveLength(times + 1));
  edit('functions/domains.ts', '*/ };;) /*', 'THE list');
  await answering(2);
  edit('lib/stack/app.ts', 'export function buildApp(', 'export function buildApp((');
  await stage.printed(/the old template goes on: .*\n.*lib\/stack\/app\.ts:\d+:\d+: ERROR/);
  edit('lib/stack/app.ts', 'export function buildApp((', 'export function buildApp(');
  await answering(3);
});
