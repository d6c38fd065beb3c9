import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkedDefinition, type DefinitionStated } from '../../functions/mobile-settings/rules/definition.ts';
import { isSameJson, type Json, jsonProblems } from '../../functions/mobile-settings/rules/json-value.ts';
import { hasRoom } from '../../functions/mobile-settings/rules/room.ts';
import { schemaProblems, type ValueSchema, valueProblems } from '../../functions/mobile-settings/rules/value-schema.ts';
import { definition, rule } from './definition.ts';

const pathsOf = (problems: readonly { path: string }[]) => problems.map(({ path }) => path);

describe('a value fits its schema', () => {
  test.each<[Json, ValueSchema, string[]]>([
    [true, { type: 'boolean' }, []],
    ['true', { type: 'boolean' }, ['v']],
    [1, { type: 'boolean' }, ['v']],
    [null, { type: 'boolean' }, ['v']],
    [9, { type: 'integer', minimum: 0, maximum: 23 }, []],
    [9.0, { type: 'integer' }, []],
    [9.5, { type: 'integer' }, ['v']],
    [24, { type: 'integer', maximum: 23 }, ['v']],
    [-1, { type: 'integer', minimum: 0 }, ['v']],
    [0.5, { type: 'number', minimum: 0.5, maximum: 0.5 }, []],
    ['b', { type: 'string', enum: ['a', 'b'] }, []],
    ['c', { type: 'string', enum: ['a', 'b'] }, ['v']],
    ['😀', { type: 'string', maxLength: 1 }, []],
    ['', { type: 'string', minLength: 1 }, ['v']],
    [[1, 2], { type: 'array', items: { type: 'integer' }, maxItems: 2 }, []],
    [[1, 'x', 2.5], { type: 'array', items: { type: 'integer' }, maxItems: 2 }, ['v', 'v[1]', 'v[2]']],
    [{}, { type: 'array' }, ['v']],
    [[], { type: 'object' }, ['v']],
    [null, { type: 'object' }, ['v']],
    [{ a: 1 }, { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }, []],
    [{ b: 1 }, { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }, ['v.a']],
    [
      { a: 1, b: 2 },
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      ['v.a', 'v.b'],
    ],
    // What every object has by itself is not stated.
    [{}, { type: 'object', required: ['toString'] }, ['v.toString']],
    [{ constructor: 1 }, { type: 'object', additionalProperties: false }, ['v.constructor']],
    [{ b: 1, a: 2 }, { type: 'object', enum: [{ a: 2, b: 1 }] }, []],
  ])('%j, %j', (value, schema, paths) => {
    expect(schemaProblems(schema, 's')).toEqual([]);
    expect(pathsOf(valueProblems(value, schema, 'v'))).toEqual(paths);
  });
});

describe('no schema', () => {
  test.each<[unknown, string[]]>([
    [{}, ['s.type']],
    [{ type: 'null' }, ['s.type']],
    [{ type: ['string', 'number'] }, ['s.type']],
    [{ type: 'string', pattern: '(a+)+$' }, ['s.pattern']],
    [{ type: 'string', minimum: 1 }, ['s.minimum']],
    [{ type: 'string', maxLenght: 1 }, ['s.maxLenght']],
    [{ type: 'string', toString: 1 }, ['s.toString']],
    [{ type: 'string', maxLength: -1 }, ['s.maxLength']],
    [{ type: 'string', maxLength: '1' }, ['s.maxLength']],
    [{ type: 'string', enum: [] }, ['s.enum']],
    [{ type: 'array', items: [{ type: 'string' }] }, ['s.items']],
    [{ type: 'array', items: { type: 'x' } }, ['s.items.type']],
    [{ type: 'object', properties: { a: { $ref: '#' } } }, ['s.properties.a.type']],
    [{ type: 'object', properties: { a: 1 } }, ['s.properties.a']],
    [{ type: 'object', required: [1] }, ['s.required']],
  ])('%j', (schema, paths) => {
    expect(pathsOf(schemaProblems(schema, 's'))).toEqual(paths);
  });
});

describe('a definition', () => {
  test.each<[string, Partial<DefinitionStated>, string[]]>([
    ['that fits', { rules: [rule({ value: true })] }, []],
    ['with another default', { defaultValue: 'no' }, ['defaultValue']],
    ['with another kill switch', { killSwitch: { isPulled: false, value: 0 } }, ['killSwitch.value']],
    ['with another value of a rule', { rules: [rule(), rule({ ruleId: 'b', value: null })] }, ['rules[1].value']],
    ['of another type than before', { schema: { type: 'string' }, defaultValue: 'x' }, ['schema.type']],
    ['with an id twice', { rules: [rule(), rule()] }, ['rules[1].ruleId']],
    ['for no version', { rules: [rule({ fromVersion: '2.0', beforeVersion: '2.0.0' })] }, ['rules[0].beforeVersion']],
    [
      'for no time',
      { rules: [rule({ startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-01-01T00:00:00.000Z' })] },
      ['rules[0].endsAt'],
    ],
    ['too long', { defaultValue: 'x'.repeat(20_000) }, ['']],
    ['too long in bytes', { defaultValue: '睡'.repeat(7000) }, ['']],
    ['with a number that apps round', { defaultValue: 2 ** 53 }, ['defaultValue']],
    ['with half a character', { defaultValue: ['\ud800'] }, ['defaultValue[0]']],
    ['with a name that is none', { defaultValue: JSON.parse('{"__proto__":1}') }, ['defaultValue']],
  ])('%s', (_case, changes, paths) => {
    const { problems } = checkedDefinition({ ...definition(), ...changes }, 'boolean');
    expect(pathsOf(problems)).toEqual(paths);
  });

  test('nested more deeply than a stack can is refused, and does no harm', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const { problems } = checkedDefinition({ ...definition(), defaultValue: deep }, null);
    expect(problems).toHaveLength(1);
    const schema = JSON.parse(`${'{"type":"array","items":'.repeat(50_000)}{}${'}'.repeat(50_000)}`);
    expect(checkedDefinition({ ...definition(), schema }, null).definition).toBeNull();
  });
});

describe('room for a setting', () => {
  const of = (count: number, definition: string) =>
    Array.from({ length: count }, (_, index) => ({ settingId: `s-${index}`, definition }));
  const wide = '睡'.repeat(1600);

  test.each<[string, ReturnType<typeof of>, string, string, boolean]>([
    ['the hundredth', of(99, '{}'), 'new', '{}', true],
    ['one more', of(100, '{}'), 'new', '{}', false],
    ['in the place of one of a hundred', of(100, '{}'), 's-1', '{"a":1}', true],
    ['500,000 bytes together', of(50, 'x'.repeat(9800)), 'new', 'x'.repeat(10_000), true],
    ['a byte more', of(50, 'x'.repeat(9800)), 'new', 'x'.repeat(10_001), false],
    ['bytes, not characters', of(99, wide), 'new', 'x'.repeat(19_999), true],
    ['bytes of many', of(99, `${wide}${wide}`), 's-0', `${wide}${wide}x`, false],
    ['what becomes no longer, however full it is', of(99, `${wide}${wide}`), 's-0', `${wide}${wide}`, true],
  ])('%s', (_case, stored, settingId, text, fits) => {
    expect(hasRoom(stored, { settingId, definition: text })).toBe(fits);
  });
});

test('what passes is stored and read as the same JSON, whatever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      if (jsonProblems(value).length > 0) return;
      expect(isSameJson(JSON.parse(JSON.stringify(value)), value as Json)).toBe(true);
    }),
  );
});
