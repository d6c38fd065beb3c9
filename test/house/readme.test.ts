import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { baseUrl, call, signIn } from '../api.ts';

const root = new URL('../..', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the walk-through', () => {
  const shell = /<!-- walk-through -->\n```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const curls = shell.split('\n').filter((line) => line.startsWith('curl '));

  /** What curl would send: no more is read than the README uses. */
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
    expect(items.map((item: { isRequired: boolean }) => item.isRequired)).toEqual([true, true, false, false]);
    expect(items.map((item: { agreed: boolean }) => item.agreed)).toEqual([false, false, false, false]);
    expect(again).toEqual(agreed);
    expect(twice).toEqual(revoked);
    expect(required.code).toBe('AGREEMENT_REQUIRED');
    expect(anew.agreedAt > revoked.revokedAt).toBe(true);
    const [third, second, first] = history.items;
    expect(history.items).toHaveLength(3);
    expect([third.previousHash, second.previousHash, first.previousHash]).toEqual([second.hash, first.hash, null]);
  });

  test('starts with a sign-in that works when pasted, with nothing but curl and sed', async () => {
    const signingIn = shell.slice(0, shell.indexOf('\n\n'));
    expect(signingIn).toMatch(/^API=http:\/\/localhost:3000\/de\/v1\nTOKEN=/);
    const here = signingIn.replace('http://localhost:3000/de/v1', baseUrl());
    const { stdout: token } = await promisify(execFile)('sh', ['-c', `${here}\nprintf %s "$TOKEN"`]);
    expect(await call('GET', '/users/agreements', { token })).toMatchObject({ status: 200 });
  });
});

test('a night is written down as the text says, with nothing but curl and node', async () => {
  const [, shell = ''] = /<!-- sleep -->\n```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(shell).toContain('API=http://localhost:3000/de/v1');
  const { origin } = new URL(baseUrl());
  // A user of the test's own, so that the seeded diary stays as it is.
  const here = shell.replaceAll('http://localhost:3000', origin).replace('patient@example.com', randomUUID());
  const separated = here.replaceAll(/^(curl .*)$/gm, "printf '\\n'; $1");
  const { stdout } = await promisify(execFile)('sh', ['-c', separated]);
  const [entry, summary, window] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entry).toMatchObject({ figures: { totalSleepMinutes: 405, efficiencyPercent: 90, midSleep: '03:55' } });
  expect(summary).toMatchObject({ nights: 1, totalSleepMinutes: { mean: 405 } });
  expect(window).toMatchObject({ status: 'none', next: { nights: 1, nightsNeeded: 5 } });
});

test('the questionnaire is answered as the text around it says', async () => {
  const [, shell = ''] = /<!-- questionnaires -->\n```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, draft = ''] = /-d '([\s\S]*?)'/.exec(shell) ?? [];
  const token = await signIn();
  const path = '/questionnaires/responses/first';
  const due = await call('GET', '/questionnaires/bundles', { token });
  const answers = [
    await call('PUT', path, { token, body: draft }),
    await call('PUT', path, { token, body: draft }),
    await call('POST', `${path}/complete`, { token }),
    await call('GET', path, { token, headers: { Accept: 'application/fhir+json' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(due.body.items).toMatchObject([{ bundleId: 'well-being', status: 'due' }]);
  const [first, again, completed, fhir] = answers.map(({ body }) => body);
  expect(again).toEqual(first);
  expect(completed.scores[1]).toMatchObject({ value: 60, bandId: 'good' });
  expect(fhir.resourceType).toBe('QuestionnaireResponse');
});

test('every npm script that it names is there', () => {
  const named = [...readme.matchAll(/npm (?:run )?(?:-s )?([a-z][a-z:-]*)/g)].map(([, name]) => name as string);
  const missing = named.filter((name) => !(name in manifest.scripts) && name !== 'ci');
  expect(named.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

describe('every file and heading is there that a page links to', () => {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = ['README.md', 'lib/local/README.md', ...docs.map((file) => join('docs', file))];

  test.each(pages.filter((file) => file.endsWith('.md')))('%s', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  test('which are some', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(4);
    expect(linksOf('docs/decisions/README.md').length).toBeGreaterThan(30);
  });
});

function linksOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link as string);
}

function brokenLinks(page: string): string[] {
  return linksOf(page).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? join(root, page) : join(root, dirname(page), path);
    return !existsSync(file) || (anchor !== undefined && !anchorsIn(readFileSync(file, 'utf8')).has(anchor));
  });
}

/** As GitHub makes them of headings: lower case, hyphens for spaces, no other punctuation. And those that are written out. */
function anchorsIn(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const written = [...markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name);
  return new Set([...headings, ...written]);
}
