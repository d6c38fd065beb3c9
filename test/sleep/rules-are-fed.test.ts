import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { programmeContents } from '../../functions/sleep/rules/programmes.ts';
import { currentRules } from '../../functions/sleep/rules/window-rules.ts';

/**
 * A rule that can suspend a window or stop a release is of use only if somebody asks the patient. So each questionnaire of
 * the rules is in a seeded bundle that asks for it while a window is active, and in one at the start of each programme.
 */

type Bundle = {
  readonly bundleId: string;
  readonly questionnaireIds: readonly string[];
  readonly programmeId: string | null;
  readonly anchor?: 'entitlement' | 'window';
  readonly everyDays?: number;
  readonly openDays?: number;
  readonly windows?: readonly { readonly fromDay: number; readonly toDay: number }[];
};

const file = new URL('../../functions/questionnaires/seed/bundles.json', import.meta.url);
const { bundles } = JSON.parse(readFileSync(file, 'utf8')) as { bundles: Bundle[] };

const { sleepiness, depression } = currentRules;
const rules = [
  // An answer must come before each further window, and before the window is suspended without one.
  [sleepiness.questionnaireId, Math.min(sleepiness.beforeReleaseDays, sleepiness.dueAfterDays)],
  [depression.questionnaireId, depression.validDays],
] as const;

test.each(rules)('%s is asked while a window is active, at least every %i days', (questionnaireId, days) => {
  const asking = bundles.filter(
    ({ anchor, questionnaireIds, everyDays }) =>
      anchor === 'window' && questionnaireIds.includes(questionnaireId) && (everyDays ?? Infinity) <= days,
  );
  expect(asking, `no bundle with anchor "window" asks ${questionnaireId}`).not.toEqual([]);
  // A bundle of the window is for everybody who has one, whatever the programme.
  expect(asking.map(({ programmeId }) => programmeId)).toContain(null);
});

test.each(Object.keys(programmeContents).flatMap((programmeId) => rules.map(([id]) => [programmeId, id] as const)))(
  'in %s, %s is asked at the start: the first window needs it',
  (programmeId, questionnaireId) => {
    const asking = bundles.filter(
      ({ programmeId: of, questionnaireIds, windows = [] }) =>
        of === programmeId &&
        questionnaireIds.includes(questionnaireId) &&
        windows.some(({ fromDay }) => fromDay === 0),
    );
    expect(asking, `no bundle of ${programmeId} asks ${questionnaireId} on day 0`).not.toEqual([]);
  },
);
