import { describe, expect, test } from 'vitest';
import { completionEventOf } from '../../functions/learning/rules/completion-event.ts';

/** What other services learn of a unit that was completed. */

const unit = (unitId: string, completedAt?: string) => ({
  M: { unitId: { S: unitId }, percent: { N: '100' }, completedAt: completedAt === undefined ? {} : { S: completedAt } },
});
const row = (...units: ReturnType<typeof unit>[]) => ({
  ...{ userId: { S: 'u' }, courseId: { S: 'c' } },
  units: { M: Object.fromEntries(units.map((each) => [each.M.unitId.S, each])) },
});
const [at, earlier] = ['2027-03-28T10:00:00.000Z', '2027-03-27T10:00:00.000Z'];
const one = {
  ...{ detailType: 'LearningUnitCompleted', time: at },
  detail: { userId: 'u', courseId: 'c', unitId: 'c.two', completedAt: at },
};

describe('the event of a completion', () => {
  test.each<[string, ReturnType<typeof row> | undefined, ReturnType<typeof row> | undefined, object | null]>([
    ['of the first unit', undefined, row(unit('c.two', at)), one],
    ['of another one', row(unit('c.one', at)), row(unit('c.one', at), unit('c.two', at)), one],
    ['of one that was begun', row(unit('c.two')), row(unit('c.two', at)), one],
    ['none of progress', row(unit('c.one', at)), row(unit('c.one', at), unit('c.two')), null],
    ['none where another phone was earlier', row(unit('c.two', at)), row(unit('c.two', earlier)), null],
    ['none of an erasure', row(unit('c.two', at)), undefined, null],
  ])('%s', (_case, OldImage, NewImage, event) => {
    expect(completionEventOf({ OldImage, NewImage })).toEqual(event);
  });

  test('a row without its course is not understood', () => {
    expect(() => completionEventOf({ NewImage: { ...row(unit('c.two', at)), courseId: {} } })).toThrow('courseId');
  });
});
