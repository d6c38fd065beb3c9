import { expect, test } from 'vitest';
import { responseChangeOf } from '../../functions/questionnaire-responses/rules/response-change.ts';

const text = (S: string) => ({ S });
const answers = { L: [{ M: { linkId: text('phq9-9'), choice: text('2') } }] } as never;
const draft = { userId: text('u'), part: text('response#r'), status: text('draft'), revision: { N: '1' }, answers };
const done = { ...draft, status: text('completed'), revision: { N: '2' }, amendedBy: { NULL: true } };
const amended = { ...done, amendedBy: text('r2'), revision: { N: '3' }, corrected: { M: { responseId: text('r2') } } };
const claim = { ...done, part: text('occurrence#o#phq-9'), responseId: text('r') };
const listed = { ...done, part: text('at#2026-11-28T12:00:00.000Z#r') };

test.each([
  ['a draft', { NewImage: draft }, null],
  ['a draft that is changed', { OldImage: draft, NewImage: { ...draft, revision: { N: '2' } } }, null],
  ['a draft that is deleted', { OldImage: draft }, null],
  ['a reminder', { NewImage: { userId: text('u'), part: text('reminder#x') } }, null],
  ['completed', { OldImage: draft, NewImage: done }, 'completed'],
  ['completed at once', { NewImage: done }, 'completed'],
  ['its row in a list', { NewImage: listed }, 'listed'],
  ['its row in a list, where it said something else', { OldImage: { part: listed.part }, NewImage: listed }, 'changed'],
  ['completed and corrected at once', { NewImage: amended }, 'corrected'],
  ['corrected', { OldImage: done, NewImage: amended }, 'corrected'],
  [
    'without the correction that it named',
    { OldImage: amended, NewImage: { ...done, amendedBy: text('r2') } },
    'changed',
  ],
  ['a row of a list that says nothing', { NewImage: { part: listed.part } }, 'listed'],
  ['as it was', { OldImage: amended, NewImage: amended }, null],
  [
    'corrected once more',
    { OldImage: amended, NewImage: { ...amended, corrected: { M: {} }, revision: { N: '4' } } },
    'corrected',
  ],
  [
    'said to be corrected, by no text',
    { OldImage: done, NewImage: { ...done, amendedBy: { N: '12345678901234567890' } } },
    'corrected',
  ],
  ['completed, and said to be corrected by no text', { NewImage: { ...done, amendedBy: { N: '1' } } }, 'corrected'],
  ['corrected by another one', { OldImage: amended, NewImage: { ...amended, amendedBy: text('r3') } }, 'changed'],
  ['not corrected any more', { OldImage: amended, NewImage: done }, 'changed'],
  ['a draft again', { OldImage: done, NewImage: draft }, 'changed'],
  ['other answers', { OldImage: done, NewImage: { ...done, answers: { L: [] } as never } }, 'changed'],
  ['with one field more', { OldImage: done, NewImage: { ...done, more: text('x') } }, 'changed'],
  ['removed', { OldImage: done }, 'removed'],
  ['removed from a list', { OldImage: listed }, 'removed'],
  ['the correction of an occurrence', { OldImage: claim, NewImage: { ...claim, responseId: text('r2') } }, null],
])('%s', (_case, change, meant) => {
  expect(responseChangeOf(change)).toBe(meant);
});
