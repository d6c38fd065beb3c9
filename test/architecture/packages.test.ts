import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isPermissive, type Lock, licenceProblems, licencesOf, lockProblems, unexplained } from '../../bin/packages.ts';
import { lockedFolders } from '../../bin/tools.ts';
import { root } from '../../lib/bundle/root.ts';

test('the tools are found, and are for development only', () => {
  const tools = lockedFolders().filter(({ folder }) => folder !== '.');
  expect(tools.length).toBeGreaterThan(5);
  expect(tools.flatMap(({ lock }) => licencesOf(lock).filter(({ isForDevelopment }) => !isForDevelopment))).toEqual([]);
});

test('version managers take the Node that the project brings', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const { devDependencies, devEngines } = JSON.parse(read('package.json'));
  expect(read('.nvmrc').trim()).toBe(devDependencies.node);
  expect(devEngines.runtime).toMatchObject({ name: 'node', version: devDependencies.node });
});

describe('what is found', () => {
  const good = { version: '1.0.0', license: 'MIT', integrity: 'sha512-abc' };
  const locked = (more: object, path = 'node_modules/thing'): Lock => ({
    packages: { '': { dependencies: { thing: '1.0.0' } }, [path]: { ...good, ...more } },
  });
  const wanted = { dependencies: { thing: '1.0.0' } };

  test.each<[string, Lock, string[]]>([
    ['nothing', locked({}), []],
    ['no hash', locked({ integrity: undefined }), ['thing@1.0.0 has no SHA-512']],
    ['an old hash', locked({ integrity: 'sha1-abc' }), ['thing@1.0.0 has no SHA-512']],
    ['a hash of what is around it', locked({ integrity: undefined, inBundle: true }), []],
    [
      'a registry',
      locked({ resolved: 'https://r.example/t.tgz' }),
      ['thing@1.0.0 names a registry: https://r.example/t.tgz'],
    ],
    ['a deprecation', locked({ deprecated: 'use other' }), ['thing@1.0.0 is deprecated: use other']],
    [
      'an install script',
      locked({ hasInstallScript: true }, 'node_modules/a/node_modules/thing'),
      ['thing@1.0.0 has an install script that package.json neither allows nor refuses'],
    ],
  ])('%s', (_, of, problems) => {
    expect(lockProblems(wanted, of)).toEqual(problems);
  });

  test.each(['^1.0.0', '~1.0.0', '1', '*', 'latest', 'github:a/b', 'https://x.example/y.tgz'])(
    'no exact version: %s',
    (version) => {
      const both = { dependencies: { thing: version } };
      expect(lockProblems(both, { packages: { '': both } })).toEqual([`thing has no exact version: ${version}`]);
    },
  );

  test('a lock file of another package.json', () => {
    expect(lockProblems({ dependencies: { thing: '1.0.1' } }, locked({}))).toEqual([
      'package-lock.json does not match package.json: dependencies',
    ]);
  });

  test.each<[string, boolean]>([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['MIT AND Apache-2.0', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['SEE LICENSE IN LICENSE', false],
    ['none', false],
  ])('%s is permissive: %s', (expression, is) => {
    expect(isPermissive(expression)).toBe(is);
  });

  test('a tolerated licence outside of development', () => {
    const of = (dev: boolean) => locked({ license: 'MPL-2.0', dev }, 'node_modules/lightningcss');
    expect(licenceProblems(of(true))).toEqual([]);
    expect(licenceProblems(of(false))).toEqual(['lightningcss@1.0.0 is under MPL-2.0']);
  });

  test('a dependency without a row, or with a row without a reason', () => {
    const page = '| `a`, `@types/*` | MIT | for this |\n| `b` | MIT | |\n';
    const of = { dependencies: { a: '1.0.0', b: '1.0.0', c: '1.0.0', '@types/d': '1.0.0' } };
    expect(unexplained(of, page)).toEqual(['b', 'c']);
  });
});
