import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Question } from '../../functions/learning/rules/course.ts';
import {
  type Change,
  type CourseProgress,
  merged,
  recordedBy,
  type UnitProgress,
  withUnit,
} from '../../functions/learning/rules/progress.ts';
import { answerProblems, asked, outcomeOf, resultOf } from '../../functions/learning/rules/quiz.ts';

const now = new Date('2026-03-02T08:00:00.000Z');
const at = now.toISOString();
const quiz = { version: '1', answers: [], score: 0, maxScore: 3 };

const progress = (position: number, percent: number): Change => ({ kind: 'progress', position, percent });
const completion = (score: number | null = null, recordedAt = at): Change => ({
  kind: 'completion',
  at: recordedAt,
  quiz: score === null ? null : { ...quiz, score },
});

const mergedAll = (changes: readonly Change[]) =>
  changes.reduce<UnitProgress | null>((unit, change) => merged(unit, 'c.one', change, now), null);

describe('merged by the maximum', () => {
  const moves = fc
    .record({ position: fc.nat(1000), percent: fc.nat(100) })
    .map((move) => progress(move.position, move.percent));

  test('whatever order, however often: the same', () => {
    const hours = fc.constantFrom('07', '05', '03').map((hour) => completion(2, `2026-03-02T${hour}:00:00.000Z`));
    const changes = fc.array(fc.oneof(moves, hours), { minLength: 1, maxLength: 8 });
    const property = fc.property(changes, fc.infiniteStream(fc.nat()), (sent, random) => {
      const repeated = [...sent, ...sent];
      const keyed = repeated.map((change) => ({ change, key: random.next().value as number }));
      const shuffled = keyed.toSorted((one, other) => one.key - other.key).map(({ change }) => change);
      expect(mergedAll(shuffled)).toEqual(mergedAll(sent));
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('position and percent each by itself, and nothing goes back', () => {
    expect(mergedAll([progress(10, 5), progress(3, 40), progress(0, 0)])).toMatchObject({ position: 10, percent: 40 });
  });

  test('what changes nothing is the same object, and no write', () => {
    const unit = merged(null, 'c.one', progress(10, 50), now);
    expect(merged(unit, 'c.one', progress(10, 50), new Date())).toBe(unit);
    const row = withUnit(null, 'c', unit, now);
    expect(withUnit(row, 'c', unit, new Date())).toBeNull();
    // An attribute that a later release adds stays.
    const more = { ...(row as CourseProgress), more: 'x' };
    expect(withUnit(more, 'c', { ...unit, percent: unit.percent + 1 }, now)).toMatchObject({ more: 'x' });
  });

  test('that nothing was done yet is kept, too: the unit was begun', () => {
    expect(mergedAll([progress(0, 0)])).toEqual({
      ...{ unitId: 'c.one', position: 0, percent: 0, completedAt: null, quiz: null, updatedAt: at },
    });
  });

  test('completing is once: the answers that came first count, and the earliest time', () => {
    const earlier = '2026-03-02T07:00:00.000Z';
    const first = { percent: 100, quiz: { score: 1 } };
    expect(mergedAll([completion(1), completion(3, earlier)])).toMatchObject({ ...first, completedAt: earlier });
    expect(mergedAll([completion(1, earlier), completion(3)])).toMatchObject({ ...first, completedAt: earlier });
  });

  test('a score changes no progress, and progress no score', () => {
    const property = fc.property(fc.nat(3), fc.nat(3), fc.array(moves, { maxLength: 5 }), (one, other, sent) => {
      const { quiz: first, ...rest } = mergedAll([...sent, completion(one), ...sent]) ?? { quiz: null };
      const { quiz: _second, ...same } = mergedAll([...sent, completion(other)]) ?? { quiz: null };
      expect(rest).toEqual(same);
      expect(first?.score).toBe(one);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

test('what a phone recorded in the future was recorded when it arrived', () => {
  expect(recordedBy(now, '2026-03-02T09:00:00.000Z')).toBe(now);
  expect(recordedBy(now, '2026-03-01T09:00:00.000Z').toISOString()).toBe('2026-03-01T09:00:00.000Z');
  expect(recordedBy(now, undefined)).toBe(now);
});

describe('a quiz', () => {
  const texts = { en: 'x' };
  const option = (value: string, isCorrect: boolean) => ({ value, text: texts, isCorrect });
  const questions: Question[] = [
    {
      questionId: 'one',
      text: texts,
      explanation: { en: 'because' },
      options: [option('a', true), option('b', false)],
    },
    {
      questionId: 'two',
      text: texts,
      explanation: texts,
      options: [option('a', true), option('b', true), option('c', false)],
    },
  ];
  const answers = (one: string[], two: string[]) => [
    { questionId: 'one', values: one },
    { questionId: 'two', values: two },
  ];

  test.each([
    [['a'], ['a', 'b'], 2],
    [['a'], ['b', 'a'], 2],
    [['a'], ['a'], 1],
    [['a'], ['a', 'b', 'c'], 1],
    [['b'], ['c'], 0],
  ])('%j and %j: %i', (one, two, score) => {
    expect(answerProblems(questions, answers(one, two))).toEqual([]);
    expect(outcomeOf(questions, answers(one, two), '1')).toMatchObject({ score, maxScore: 2 });
  });

  test.each([
    ['none', [], ['answers', 'answers']],
    ['one missing', [{ questionId: 'one', values: ['a'] }], ['answers']],
    [
      'an unknown question',
      [...answers(['a'], ['a']), { questionId: 'three', values: ['a'] }],
      ['answers[2].questionId'],
    ],
    ['a question twice', [...answers(['a'], ['a']), { questionId: 'one', values: ['a'] }], ['answers[2].questionId']],
    ['no option', answers([], ['a']), ['answers[0].values']],
    ['two where one is asked for', answers(['a', 'b'], ['a']), ['answers[0].values']],
    ['an unknown option', answers(['z'], ['a']), ['answers[0].values[0]']],
    ['an option twice', answers(['a'], ['a', 'a']), ['answers[1].values[1]']],
  ])('%s is named', (_case, given, paths) => {
    expect(answerProblems(questions, given).map(({ path }) => path)).toEqual(paths);
  });

  test('says what was right once it is answered, and nothing of it before', () => {
    const result = resultOf(questions, outcomeOf(questions, answers(['b'], ['a', 'b']), '1'));
    expect(result.questions.map(({ isCorrect, correctValues }) => [isCorrect, correctValues])).toEqual([
      [false, ['a']],
      [true, ['a', 'b']],
    ]);
    expect(JSON.stringify(questions.map(asked))).not.toMatch(/isCorrect|because/);
    expect(questions.map((question) => asked(question).isMultiple)).toEqual([false, true]);
  });
});
