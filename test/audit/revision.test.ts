import { describe, expect, test } from 'vitest';
import { changedFields, preconditionOf } from '../../functions/audit/rules/revision.ts';

describe('a conditional write', () => {
  test.each([
    ['no condition', 3, undefined, undefined, 'missing'],
    ['any state', 3, '*', undefined, 'missing'],
    ['the current revision', 3, '"3"', undefined, 'holds'],
    ['one of several', 3, '"2", "3"', undefined, 'holds'],
    ['an older revision', 3, '"2"', undefined, 'failed'],
    ['a weak tag', 3, 'W/"3"', undefined, 'failed'],
    ['a tag without quotes', 3, '3', undefined, 'failed'],
    ['a revision where there is nothing', 0, '"0"', undefined, 'failed'],
    ['the first', 0, undefined, '*', 'holds'],
    ['the first, where there is one', 3, undefined, '*', 'failed'],
    ['another use of If-None-Match', 3, undefined, '"3"', 'missing'],
    ['both, which cannot be', 3, '"3"', '*', 'failed'],
  ])('%s', (_name, revision, ifMatch, ifNoneMatch, expected) => {
    expect(preconditionOf(revision, { ifMatch, ifNoneMatch })).toBe(expected);
  });

  test.each([-1, 1.5, '3', undefined])('a planted revision %s is a defect, and no 412 for ever', (revision) => {
    expect(() => preconditionOf(revision as number, { ifMatch: '"3"', ifNoneMatch: undefined })).toThrow('no revision');
  });
});

test.each([
  ['what changed', { a: 1, b: 2 }, { a: 1, b: 3 }, { before: { b: 2 }, after: { b: 3 } }],
  ['what was not there', { a: 1 }, { a: 1, b: [] }, { before: { b: null }, after: { b: [] } }],
  ['all of the first', null, { a: 1 }, { before: null, after: { a: 1 } }],
  ['nothing', { a: [1] }, { a: [1] }, { before: {}, after: {} }],
])('an audit event says %s', (_what, before, after, expected) => {
  expect(changedFields(before, after)).toEqual(expected);
});
