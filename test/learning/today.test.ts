import { expect, test } from 'vitest';
import { activeTerms, diaryTask, questionnaireTasks } from '../../functions/learning/rules/today.ts';
import { entitlementAt } from '../../functions/learning/rules/unlock.ts';

const term = { entitlementId: 'e', programmeId: 'insomnia-basic' };
const march = { ...term, startsAt: '2026-03-02T22:30:00.000Z', endsAt: '2026-04-02T22:30:00.000Z' };
const terms = (at: string, zone = 'Europe/Berlin') => activeTerms([march], new Date(at), zone);

test.each([
  ['before it starts', '2026-03-02T22:29:59.999Z', []],
  ['the first day', '2026-03-02T22:30:00.000Z', [0]],
  ['half an hour later, where it is the next one', '2026-03-02T23:00:00.000Z', [1]],
  ['after the change to summer time', '2026-03-29T22:00:00.000Z', [28]],
  ['when it is over', '2026-04-02T22:30:00.000Z', []],
])('the day of a programme: %s', (_case, at, days) => {
  expect(terms(at).map(({ day }) => day)).toEqual(days);
});

test('with a second code the day is still that of the programme, as unlock rules count it', () => {
  const april = { ...term, startsAt: march.endsAt, endsAt: '2026-05-02T22:30:00.000Z' };
  const other = { ...march, programmeId: 'other', startsAt: '2026-01-01T00:00:00.000Z' };
  const [zone, at] = ['Europe/Berlin', new Date('2026-04-03T08:00:00Z')];
  const all = [other, april, march];
  expect(activeTerms(all, at, zone)).toMatchObject([{ startsAt: april.startsAt, day: 32 }]);
  expect(entitlementAt(all, ['insomnia-basic'], at, zone)).toEqual({
    firstDay: '2026-03-02',
    programmeId: 'insomnia-basic',
  });
});

test('a programme that nobody declared unlocks nothing', () => {
  for (const programmeId of ['other', '__proto__', 'constructor'])
    expect(activeTerms([{ ...march, programmeId }], new Date(march.startsAt), 'UTC')).toEqual([]);
});

test.each([
  ['written', ['2026-03-10', '2026-03-09'], 'written'],
  ['missing', ['2026-03-09', '2026-03-08'], 'missing'],
  ['missing, where none ever was', [], 'missing'],
])('the diary is %s', (_case, written, status) => {
  const task = diaryTask(terms('2026-03-10T08:00:00Z'), '2026-03-10', new Set(written));
  expect(task).toEqual({ date: '2026-03-10', status });
});

test('nobody without a programme is asked for a diary', () => {
  expect(diaryTask([], '2026-03-10', new Set())).toBeNull();
});

test('what is always open, over, answered or yet to come is no task of today', () => {
  const due = (status: 'upcoming' | 'due' | 'in-progress' | 'completed' | 'missed', window = true) => ({
    ...{ occurrenceId: status, bundleId: 'b', title: { en: 'B' }, entitlementId: 'e', status },
    window: window ? { from: '2026-03-02', to: '2026-03-09' } : null,
    questionnaires: [
      { questionnaireId: 'one', version: null, status: 'completed' as const, responseId: 'r' },
      { questionnaireId: 'two', version: null, status: 'due' as const, responseId: null },
    ],
  });
  const all = [due('upcoming'), due('due'), due('in-progress'), due('completed'), due('missed'), due('due', false)];
  expect(questionnaireTasks(all)).toEqual(
    (['due', 'in-progress'] as const).map((status) => ({
      ...{ occurrenceId: status, bundleId: 'b', title: { en: 'B' }, status, until: '2026-03-09' },
      questionnaireIds: ['two'],
    })),
  );
});
