import { expect, test } from 'vitest';
import { conditions, conditionsIn } from './conditions.ts';
import { readUnfound, readWeakened } from './explored.ts';

/** Which conditions of writes are weakened one at a time, and what becomes of the file. */

const weak = (text: string) => conditionsIn('functions/x/stores/y.ts', text).map(({ weakened }) => weakened);

test.each([
  [
    'a text',
    "f({ ConditionExpression: 'a = :b' });",
    ["f({ ConditionExpression: '(' + ('a = :b') + ') OR attribute_not_exists(zzNone)' });"],
  ],
  [
    'a choice in lines',
    "{\n  ConditionExpression:\n    a ? 'b' : f({ e: 1 }, 'c'),\n}",
    ["{\n  ConditionExpression: '(' + (a ? 'b' : f({ e: 1 }, 'c')) + ') OR attribute_not_exists(zzNone)',\n}"],
  ],
  [
    'its name alone',
    'const ConditionExpression = x;\n({ ConditionExpression });',
    [
      "const ConditionExpression = x;\n({ ConditionExpression: '(' + (ConditionExpression) + ') OR attribute_not_exists(zzNone)' });",
    ],
  ],
  [
    'one by its name',
    "put(x, y, a ? ifUnchanged({ b: f(c, d) }) : ifRevision('e', g?.h));",
    [
      "put(x, y, a ? ((made) => ({ ...made, ConditionExpression: '(' + made.ConditionExpression + ') OR attribute_not_exists(zzNone)' }))(ifUnchanged({ b: f(c, d) })) : ifRevision('e', g?.h));",
      "put(x, y, a ? ifUnchanged({ b: f(c, d) }) : ((made) => ({ ...made, ConditionExpression: '(' + made.ConditionExpression + ') OR attribute_not_exists(zzNone)' }))(ifRevision('e', g?.h)));",
    ],
  ],
  [
    'the condition of a key, and a type',
    "({ KeyConditionExpression: 'a' }); type T = { ConditionExpression: string };",
    [],
  ],
])('%s', (_, text, expected) => {
  expect(weak(text)).toEqual(expected);
});

test('two with the same text have names of their own, and all of the project do', () => {
  const twice = "[{ ConditionExpression: 'a' }, { ConditionExpression: 'a' }]";
  expect(conditionsIn('functions/x/y.ts', twice).map(({ name, domain }) => [name, domain])).toEqual([
    ['functions/x/y.ts: a', 'x'],
    ['functions/x/y.ts: a (2)', 'x'],
  ]);
  const names = conditions().map(({ name }) => name);
  expect(names.length).toBeGreaterThan(100);
  expect(new Set(names).size).toBe(names.length);
});

test('what was judged is still there, and what was not found has its reason', () => {
  const names = conditions().map(({ name }) => name);
  const judged = readWeakened();
  expect(Object.keys(judged).filter((name) => !names.includes(name))).toEqual([]);
  const isFound = (name: string) => typeof judged[name] === 'object' && judged[name] !== null;
  const unfound = Object.keys(judged).filter((name) => !isFound(name));
  expect(Object.keys(readUnfound()).toSorted()).toEqual(unfound.toSorted());
});
