import { expect, test } from 'vitest';
import { replacements } from '../../lib/bundle/replacements.ts';
import { hashesNow, problems, readPins } from '../../lib/bundle/sdk-pins.ts';

const pins = readPins();
const [replaced = ''] = Object.keys(replacements);

test('the SDK has the modules that lib/bundle was written for', () => {
  // A failure here is for a person: look at each module first, and only then run the command.
  expect(problems(pins, hashesNow()).join('\n')).toBe('');
});

test('each replaced module is pinned, and each kind of change has some', () => {
  for (const path of Object.keys(replacements)) expect(pins[path], path).toMatch(/^[0-9a-f]{64}$/);
  for (const kind of [/client-dynamodb\/.*\/errors\.js$/, /client-s3\/.*\/schemas_0\.js$/, /Paginator\.js$/]) {
    expect(Object.keys(pins).filter((path) => kind.test(path))).not.toEqual([]);
  }
});

test.each([
  ['another content', { [replaced]: 'other' }, 'has another content'],
  ['no content', { [replaced]: 'missing' }, 'is gone'],
])('a module of %s is named, with the file to compare it with and the command', (_name, changed, said) => {
  expect(problems(pins, { ...pins, ...changed })).toEqual([
    `node_modules/${replaced}: ${said}; compare it with lib/bundle/replacements.ts, then run \`npm run cli -- pin-sdk\``,
  ]);
});

test('a module that is changed and not pinned is named, and a pin of nothing too', () => {
  const { [replaced]: gone, ...others } = pins;
  expect(gone).toBeDefined();
  expect(problems(others, pins)).toEqual([expect.stringContaining('is not pinned')]);
  expect(problems({ ...pins, 'some/where.js': 'a' }, pins)).toEqual([expect.stringContaining('nothing in lib/bundle')]);
});
