import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { baseUrl, call, isDeployed, signIn } from '../api.ts';
import { pasted, readme, shellOf } from './pages.ts';

describe('the walk-through', () => {
  const shell = shellOf('walk-through');
  const curls = shell.split('\n').filter((line) => line.startsWith('curl '));

  /** What curl would send: no more is read than the page uses. */
  function asked(line: string): { method: string; path: string } {
    const [, method = 'GET', path] =
      /^curl -s (?:-X (\w+) )?-H "Authorization: Bearer \$TOKEN" \$API(\/\S+)$/.exec(line) ?? [];
    if (!path) throw new Error(`a command that this test cannot read: ${line}`);
    return { method, path };
  }

  test('gives what the text around it says', async () => {
    const token = await signIn();
    const answers = [];
    for (const { method, path } of curls.map(asked)) answers.push(await call(method, path, { token }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 200, 200]);
    const [list, agreed, again, revoked, twice, required, anew, history] = answers.map(({ body }) => body);
    const { items } = list;
    expect(items.map((item: { isRequired: boolean }) => item.isRequired)).toEqual([true, true, false, false, false]);
    expect(items.map((item: { agreed: boolean }) => item.agreed)).toEqual([false, false, false, false, false]);
    expect(again).toEqual(agreed);
    expect(twice).toEqual(revoked);
    expect(required.code).toBe('AGREEMENT_REQUIRED');
    expect(anew.agreedAt > revoked.revokedAt).toBe(true);
    const [third, second, first] = history.items;
    expect(history.items).toHaveLength(3);
    expect([third.previousHash, second.previousHash, first.previousHash]).toEqual([second.hash, first.hash, null]);
  });

  // With the local stage's own user.
  test.skipIf(isDeployed())('starts with a sign-in that works when pasted, with nothing but curl and sed', async () => {
    const signingIn = shell.slice(0, shell.indexOf('\n\n'));
    expect(signingIn).toMatch(/^API=http:\/\/localhost:3000\/de\/v1\nTOKEN=/);
    const here = signingIn.replace('http://localhost:3000/de/v1', baseUrl());
    const { stdout: token } = await promisify(execFile)('sh', ['-c', `${here}\nprintf %s "$TOKEN"`]);
    expect(await call('GET', '/users/agreements', { token })).toMatchObject({ status: 200 });
  });
});

pasted('the walk of five requests gives what its comments say', async () => {
  const shell = shellOf('walk');
  expect(shell).toMatch(/^API=http:\/\/localhost:3000\/de\/v1\n/);
  // A patient of the test's own, who has agreed to nothing yet; the sign-in is that of the walk-through.
  const token = await signIn();
  const here = shell
    .replace('http://localhost:3000/de/v1', baseUrl())
    .replace(/^TOKEN=[\s\S]*?(?=\n\n)/m, `TOKEN=${token}`);
  const { stdout } = await promisify(execFile)('sh', ['-ec', here]);
  const [list, agreed, revoked, history] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(list.items.map((item: { isRequired: boolean }) => item.isRequired)).toEqual([true, true, false, false, false]);
  expect(list.items.map((item: { agreed: boolean }) => item.agreed)).toEqual([false, false, false, false, false]);
  expect([agreed.agreed, revoked.agreed]).toEqual([true, false]);
  const [second, first] = history.items;
  expect(history.items).toHaveLength(2);
  expect([second.previousHash, first.previousHash]).toEqual([first.hash, null]);
});

test('every npm script that these pages name is there', () => {
  const named = [...readme.matchAll(/npm (?:run )?(?:-s )?([a-z][a-z:-]*)/g)].map(([, name]) => name as string);
  const missing = named.filter((name) => !(name in manifest.scripts) && name !== 'ci');
  expect(named.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
