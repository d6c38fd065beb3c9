import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesOf, namesOf, withDomain, withWrongHandsOf } from '../../bin/new-domain.ts';

describe('a name', () => {
  test.each([
    ['groups', 'Groups', 'groups'],
    ['sleep-diary', 'SleepDiary', 'sleep diary'],
    ['crm-site2', 'CrmSite2', 'crm site2'],
  ])('%s is %s in declarations, "%s" in sentences', (kebab, Name, words) => {
    expect(namesOf(kebab)).toEqual({ kebab, Name, words });
  });

  test.each(['', 'Groups', 'sleep_diary', '-groups', 'groups-', 'sleep--diary', '2nd', '../groups', 'a'.repeat(25)])(
    '%j is none',
    (kebab) => {
      expect(() => namesOf(kebab)).toThrow('is not a name for a domain');
    },
  );
});

test('no placeholder is left in a file or its path', () => {
  const files = filesOf(namesOf('sleep-diary'));
  expect([...files.keys()]).toContain('functions/sleep-diary/handlers/put-sleep-diary-entry.ts');
  expect([...files.keys()]).toContain('test/sleep-diary/callers.ts');
  for (const [path, text] of files) expect(path + text).not.toMatch(/\{\{|\}\}(?!`)|template/);
});

test('the list of domains has one line more', () => {
  const before = readFileSync(new URL('../../functions/domains.ts', import.meta.url), 'utf8');
  const lines = withDomain(before, namesOf('sleep-diary')).split('\n');
  const added = lines.indexOf("  'sleep-diary': await import('./sleep-diary/index.ts'),");
  expect(lines[added + 1]).toBe('};');
  expect(lines.toSpliced(added, 1).join('\n')).toBe(before);
});

test('a list of another form is not written to', () => {
  expect(() => withDomain('export const other = {\n};', namesOf('groups'))).toThrow('has no list of domains');
});

test('the table of what a role could do has one row more, with what people write', () => {
  const before = readFileSync(new URL('../../docs/security/roles.md', import.meta.url), 'utf8');
  const page = withWrongHandsOf(before, namesOf('sleep-diary'));
  const added = page.split('\n').filter((line) => line.startsWith('| `SleepDiaryEntries`'));
  expect(added).toHaveLength(1);
  expect(added[0]?.split(' | ')).toHaveLength(7);
  expect(() => withWrongHandsOf('# Roles', namesOf('groups'))).toThrow('has no table of tables');
});
