import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leaksIn, noteExchange, saidIn, watchPersonalData } from '../personal-data.ts';

const claims = Buffer.from('{"sub":"3f2a9c1e-0001","exp":1}').toString('base64url');
const token = `eyJhbGciOiJSUzI1NiJ9.${claims}.c2lnbmF0dXJl`;

describe('what is said of people', () => {
  test.each<[string, Parameters<typeof saidIn>[0], string[]]>([
    [
      'a password',
      { path: '/auth/tokens', request: { password: 'correct horse' }, status: 401, text: '{}' },
      ['correct horse'],
    ],
    [
      'a text that is sent as it is',
      { path: '/x', request: '{"body":"Your results"}', status: 201, text: '{}' },
      ['Your results'],
    ],
    ['a token, and whose it is', { path: '/x', token, status: 200, text: '{}' }, [token, '3f2a9c1e-0001']],
    ['a query', { path: '/users?email=a%40example.com', status: 200, text: '{}' }, ['a@example.com']],
    [
      'a code of a mail, though it is short',
      { path: '/x', request: { code: '271828' }, status: 400, text: '' },
      ['271828'],
    ],
    ['not a code that anything could be', { path: '/x', request: { code: '000000' }, status: 400, text: '' }, []],
    ['an answer', { path: '/x', status: 200, text: '{"items":[{"email":"b@example.com"}]}' }, ['b@example.com']],
    ['not what an error says itself', { path: '/x', status: 404, text: '{"email":"c@example.com"}' }, []],
    [
      'not a value that is too short to differ from other words',
      { path: '/x', request: { name: 'Ada' }, status: 200, text: '' },
      [],
    ],
  ])('%s', (_, exchange, said) => {
    expect(saidIn(exchange)).toEqual(said);
  });
});

describe('a leak', () => {
  const found = (value: string, text: string) => leaksIn([value], [{ where: 'a line', text }]).length;

  test('is found wherever it stands, also as JSON and URLs write it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), fc.string(), fc.string(), (value, before, after) => {
        expect(found(value, `${before}${value}${after}`)).toBeGreaterThan(0);
        expect(found(value, `${before}${JSON.stringify({ value })}${after}`)).toBeGreaterThan(0);
      }),
    );
    expect(found('a+b@example.com', '/users?email=a%2Bb%40example.com')).toBe(1);
  });

  test('of a code is a word of its own, and no number of a metric', () => {
    for (const line of ['the code 271828 is wrong', '{"code":"271828"}', '<p>271828</p>', '271828']) {
      expect(found('271828', line)).toBe(1);
    }
    for (const line of ['{"bytes":271828,"n":1}', '1271828', 'a-271828', '2.271828', '271828-4b', '12:271828']) {
      expect(found('271828', line)).toBe(0);
    }
  });

  test('is found among many that end alike, and not in what only ends so', () => {
    const values = ['1-canaries', '2-canaries', '3-canaries'];
    const texts = [{ where: 'a line', text: 'xx 2-canaries, 9-canaries' }];
    expect(leaksIn(values, texts).map(({ value }) => value)).toEqual(['2-canaries']);
  });

  test('of any function, or in any error, ends the run with an error', () => {
    const watch = (line: string, error: string) => {
      const { directory, onLog, assertNoneTold } = watchPersonalData();
      noteExchange(directory, { path: '/x', request: { email: 'canary@example.com' }, status: 400, text: error });
      onLog({ operation: 'agree' }, null, line);
      return assertNoneTold;
    };
    expect(watch('all well', '{}')()).toBe('1 personal values in 1 log lines and 1 bodies of errors: none');
    expect(watch('{"user":"canary@example.com"}', '{}')).toThrow(
      /1 LEAKS\na log line of agree has "canary@example.com"/,
    );
    expect(watch('', '{"message":"canary@example.com is taken"}')).toThrow(/1 LEAKS\nthe body of an error has/);
  });
});

test('what is noted outlives its worker', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mobile-health-notes-'));
  noteExchange(directory, { path: '/x', status: 404, text: '{"code":"A"}' });
  noteExchange(directory, { path: '/x', status: 200, text: '{}' });
  const [file = ''] = readdirSync(directory);
  const lines = readFileSync(join(directory, file), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ said: [], error: '{"code":"A"}' }, { said: [] }]);
});
