import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerProblems, missingAnswers } from '../../functions/questionnaires/rules/answers.ts';
import type { Answer, Definition, Item } from '../../functions/questionnaires/rules/definition.ts';
import { definitionProblems } from '../../functions/questionnaires/rules/definition-problems.ts';
import { enabledAnswers } from '../../functions/questionnaires/rules/enabled-items.ts';
import { instrument, isEnabled } from './instruments.ts';

const text = { en: 'x' };
const item = (linkId: string, type: Item['type'], more: Partial<Item> = {}): Item => ({ linkId, type, text, ...more });
const options = ['a', 'b'].map((value) => ({ value, text }));
const definition: Definition = {
  questionnaireId: 'q',
  version: '1',
  defaultLocale: 'en',
  title: text,
  items: [
    item('choice', 'choice', { options, required: true }),
    item('integer', 'integer', { min: 1, max: 5 }),
    item('decimal', 'decimal'),
    item('boolean', 'boolean'),
    item('date', 'date'),
    item('time', 'time'),
    item('text', 'text', { maxLength: 5 }),
    item('group', 'group', { enableWhen: [{ linkId: 'choice', operator: '=', choice: 'b' }] }),
    item('inner', 'boolean', { groupId: 'group', required: true }),
    item('note', 'display'),
  ],
  scores: [],
  flags: [],
};

describe('answers', () => {
  test('of every type', () => {
    const answers: Answer[] = [
      { linkId: 'choice', choice: 'a' },
      { linkId: 'integer', integer: 5 },
      { linkId: 'decimal', decimal: -0.5 },
      { linkId: 'boolean', boolean: false },
      { linkId: 'date', date: '2028-02-29' },
      { linkId: 'time', time: '00:00' },
      { linkId: 'text', text: '' },
    ];
    expect(answerProblems(definition, answers)).toEqual([]);
  });

  test.each<[string, Answer[], string, string]>([
    ['an unknown item', [{ linkId: 'other', text: 'secret' }], 'answers[0].linkId', 'invalid_value'],
    ['a group', [{ linkId: 'group', boolean: true }], 'answers[0].linkId', 'invalid_value'],
    ['a display', [{ linkId: 'note', text: 'secret' }], 'answers[0].linkId', 'invalid_value'],
    [
      'twice',
      [
        { linkId: 'text', text: 'a' },
        { linkId: 'text', text: 'b' },
      ],
      'answers[1].linkId',
      'repeated',
    ],
    ['no value', [{ linkId: 'text' }], 'answers[0].text', 'invalid_type'],
    ['another type', [{ linkId: 'text', integer: 1 }], 'answers[0].text', 'invalid_type'],
    ['two values', [{ linkId: 'text', text: 'a', integer: 1 }], 'answers[0].text', 'invalid_type'],
    ['no option', [{ linkId: 'choice', choice: 'secret' }], 'answers[0].choice', 'invalid_value'],
    ['too small', [{ linkId: 'integer', integer: 0 }], 'answers[0].integer', 'too_small'],
    ['too big', [{ linkId: 'integer', integer: 6 }], 'answers[0].integer', 'too_big'],
    ['too long', [{ linkId: 'text', text: 'secret' }], 'answers[0].text', 'too_long'],
    ['no date', [{ linkId: 'date', date: '2026-02-29' }], 'answers[0].date', 'invalid_format'],
    ['no time', [{ linkId: 'time', time: '24:00' }], 'answers[0].time', 'invalid_format'],
  ])('%s', (_case, answers, path, code) => {
    const problems = answerProblems(definition, answers);
    expect(problems).toMatchObject([{ path, code }]);
    // What was answered is health data, and in no message.
    expect(JSON.stringify(problems)).not.toContain('secret');
  });

  test('a required item is named if it is asked and has no answer', () => {
    const missing = (answers: Answer[]) => missingAnswers(definition, answers).map(({ linkId }) => linkId);
    expect(missing([])).toEqual(['choice']);
    expect(missing([{ linkId: 'choice', choice: 'a' }])).toEqual([]);
    expect(missing([{ linkId: 'choice', choice: 'b' }])).toEqual(['inner']);
  });
});

describe('a text without visible characters', () => {
  const required: Definition = {
    ...definition,
    items: [
      item('why', 'text', { required: true }),
      item('more', 'text', { enableWhen: [{ linkId: 'why', operator: 'exists', boolean: true }] }),
    ],
  };
  const blanks = ['', ' ', '\n\t ', '\u00a0', '\u200b', '\ufeff', '\u2800', '\u3164', '\u00ad\u2060'];
  test.each(blanks.map((text) => [JSON.stringify(text), text]))('%s is not an answer', (_shown, text) => {
    const answers = [
      { linkId: 'why', text },
      { linkId: 'more', text: 'x' },
    ];
    expect(missingAnswers(required, answers).map(({ linkId }) => linkId)).toEqual(['why']);
    expect(enabledAnswers(required, answers)).toEqual([]);
    // A draft keeps it: the patient is still writing.
    expect(answerProblems(required, answers)).toEqual([]);
  });

  test.each(['x', ' x ', '0', '-', '👍', 'é', '日'])('%s is an answer', (text) => {
    expect(missingAnswers(required, [{ linkId: 'why', text }])).toEqual([]);
    expect(enabledAnswers(required, [{ linkId: 'why', text }])).toEqual([{ linkId: 'why', text }]);
  });
});

describe('enableWhen', () => {
  const asked = (enableWhen: Item['enableWhen'], answers: Answer[], enableBehavior?: 'any') => {
    const items = [...definition.items.slice(0, 6), item('last', 'text', { enableWhen, enableBehavior })];
    return isEnabled({ ...definition, items }, answers, 'last');
  };
  const integer = (value: number): Answer[] => [{ linkId: 'integer', integer: value }];

  test.each<['=' | '!=' | '>' | '<' | '>=' | '<=', boolean[]]>([
    ['=', [false, true, false]],
    ['!=', [true, false, true]],
    ['>', [false, false, true]],
    ['<', [true, false, false]],
    ['>=', [false, true, true]],
    ['<=', [true, true, false]],
  ])('%s 3', (operator, holds) => {
    const condition = { linkId: 'integer', operator, integer: 3 };
    expect([2, 3, 4].map((value) => asked([condition], integer(value)))).toEqual(holds);
    expect(asked([condition], [])).toBe(false);
  });

  test('exists, or not', () => {
    const exists = (boolean: boolean) => [{ linkId: 'boolean', operator: 'exists' as const, boolean }];
    const answers = [{ linkId: 'boolean', boolean: false }];
    expect([asked(exists(true), answers), asked(exists(true), [])]).toEqual([true, false]);
    expect([asked(exists(false), answers), asked(exists(false), [])]).toEqual([false, true]);
  });

  test('times and dates compare', () => {
    const late = [{ linkId: 'time', operator: '>' as const, time: '09:30' }];
    expect(['09:29', '09:31', '10:00'].map((time) => asked(late, [{ linkId: 'time', time }]))).toEqual([
      ...[false, true, true],
    ]);
  });

  test('all of them, or any', () => {
    const conditions = [
      { linkId: 'integer', operator: '=' as const, integer: 3 },
      { linkId: 'boolean', operator: '=' as const, boolean: true },
    ];
    expect([asked(conditions, integer(3)), asked(conditions, integer(3), 'any'), asked(conditions, [], 'any')]).toEqual(
      [...[false, true, false]],
    );
  });

  test('a hidden item counts as unanswered, and its answer comes back unchanged', () => {
    const chained: Definition = {
      ...definition,
      items: [
        item('one', 'boolean'),
        item('two', 'boolean', { enableWhen: [{ linkId: 'one', operator: '=', boolean: true }] }),
        item('three', 'boolean', { enableWhen: [{ linkId: 'two', operator: '=', boolean: true }] }),
      ],
    };
    const answered = (one: boolean) => [
      { linkId: 'one', boolean: one },
      { linkId: 'two', boolean: true },
      { linkId: 'three', boolean: true },
    ];
    expect(enabledAnswers(chained, answered(false))).toEqual([{ linkId: 'one', boolean: false }]);
    expect(enabledAnswers(chained, answered(true))).toEqual(answered(true));
  });

  test('dropping hidden answers changes no others: once is enough', () => {
    const psqi = instrument('psqi');
    const answers = fc.subarray(
      psqi.items.flatMap(({ linkId, type }) => (type === 'choice' ? [{ linkId, choice: '1' }] : [])),
    );
    fc.assert(
      fc.property(answers, (given) => {
        const once = enabledAnswers(psqi, given);
        expect(enabledAnswers(psqi, once)).toEqual(once);
      }),
    );
  });
});

describe('an invalid definition', () => {
  const score = { scoreId: 's', label: text, kind: 'sum' as const, of: [{ item: 'integer' }] };
  test.each<[string, Partial<Definition>, string]>([
    ['two items of one name', { items: [item('a', 'text'), item('a', 'text')] }, 'items[1].linkId'],
    ['a group that is not there', { items: [item('a', 'text', { groupId: 'g' })] }, 'items[0].groupId'],
    [
      'a group that was left',
      { items: [item('g', 'group'), item('a', 'text'), item('b', 'text', { groupId: 'g' })] },
      'items[2].groupId',
    ],
    ['a choice without options', { items: [item('a', 'choice')] }, 'items[0].options'],
    ['a text with options', { items: [item('a', 'text', { options })] }, 'items[0].options'],
    ['a range the wrong way', { items: [item('a', 'integer', { min: 2, max: 1 })] }, 'items[0].min'],
    ['an integer with a half for a bound', { items: [item('a', 'integer', { min: 0.5 })] }, 'items[0].min'],
    ['an integer with a half for its end', { items: [item('a', 'integer', { max: 9.5 })] }, 'items[0].max'],
    ['a required display', { items: [item('a', 'display', { required: true })] }, 'items[0].required'],
    [
      'a condition on what comes later',
      {
        items: [
          item('a', 'text', { enableWhen: [{ linkId: 'b', operator: 'exists', boolean: true }] }),
          item('b', 'text'),
        ],
      },
      'items[0].enableWhen[0]',
    ],
    [
      'a condition of another type',
      { items: [item('b', 'text'), item('a', 'text', { enableWhen: [{ linkId: 'b', operator: '=', integer: 1 }] })] },
      'items[1].enableWhen[0]',
    ],
    ['a sum of a text', { scores: [{ ...score, of: [{ item: 'text' }] }] }, 'scores[0].of[0]'],
    ['a score of one that comes later', { scores: [{ ...score, of: [{ score: 't' }] }] }, 'scores[0].of[0]'],
    ['a map without thresholds', { scores: [{ ...score, kind: 'map' }] }, 'scores[0].thresholds'],
    ['a ratio of one', { scores: [{ ...score, kind: 'ratio' }] }, 'scores[0].of'],
    ['a difference of numbers', { scores: [{ ...score, kind: 'clock-difference' }] }, 'scores[0].of'],
    ['a score of which all may be missing', { scores: [{ ...score, allowedMissing: 1 }] }, 'scores[0].allowedMissing'],
    [
      'bands that overlap',
      {
        scores: [
          {
            ...score,
            bands: [
              { bandId: 'a', from: 0, to: 5, label: text },
              { bandId: 'b', from: 5, to: 9, label: text },
            ],
          },
        ],
      },
      'scores[0].bands[1]',
    ],
    ['a flag on a choice that counts nothing', { flags: [{ code: 'f', item: 'choice', above: 0 }] }, 'flags[0]'],
    ['a constraint on no score', { constraints: [{ score: 'x', above: 0, text }] }, 'constraints[0]'],
    ['a constraint without a bound', { scores: [score], constraints: [{ score: 's', text }] }, 'constraints[0]'],
    [
      'a constraint whose text its own language lacks',
      { scores: [score], constraints: [{ score: 's', above: 0, text: { de: 'x' } }] },
      'constraints[0].text',
    ],
    ['a flag of nothing', { flags: [{ code: 'f', above: 0 }] }, 'flags[0]'],
    ['a flag without a bound', { flags: [{ code: 'f', item: 'integer' }] }, 'flags[0]'],
    ['a text that its own language lacks', { title: { de: 'x' } }, 'title'],
  ])('%s', (_case, changed, path) => {
    expect(definitionProblems({ ...definition, ...changed }).map((problem) => problem.path)).toContain(path);
  });

  test('the definition of these tests is valid', () => {
    expect(definitionProblems(definition)).toEqual([]);
  });
});
