import { readFlagState, readScoreVersions } from '../../questionnaire-responses/exports.ts';
import type { QuestionnaireFlags, QuestionnaireResponses } from '../../questionnaire-responses/tables.ts';
import { readLastWindow } from '../../window-runs/exports.ts';
import type { SleepWindows } from '../../window-runs/tables.ts';
import { moodOf, moodReading, screenedOf, screeningReading } from '../rules/held.ts';
import { type Reading, saysAll } from '../rules/signs.ts';
import { sleepinessOf, sleepinessReading } from '../rules/sleepiness.ts';
import type { WindowFacts } from '../rules/standing.ts';
import { currentRules } from '../rules/window-rules.ts';
import type { SleepEntries, SleepinessSigns } from '../tables.ts';
import { readLatestEntries } from './entry-rows.ts';
import { readNoddedOffAt } from './sleepiness-signs.ts';
import type { WindowRow } from './window-rows.ts';

/** Everything from which a patient's sleep window follows, except the entitlements: one round trip. */

export type FactTables = Readonly<{
  readonly SleepEntries: SleepEntries<'query'>;
  readonly SleepWindows: SleepWindows<'query'>;
  readonly SleepinessSigns: SleepinessSigns<'query'>;
  readonly QuestionnaireResponses: QuestionnaireResponses<'query'>;
  readonly QuestionnaireFlags: QuestionnaireFlags<'query'>;
}>;

/** The score of the screening: how many answers require a physician. */
const excludingScore = 'excluding';

export async function readWindowFacts(tables: FactTables, userId: string): Promise<WindowFacts<WindowRow>> {
  const { sleepiness, depression, screening } = currentRules;
  const reading = readLastWindow<WindowRow>(tables.SleepWindows, userId);
  // A second page is needed only of somebody who answered very often since the last window was released.
  const versionsOf = (of: { questionnaireId: string; scoreId: string }, wanted: Reading) =>
    readScoreVersions(tables.QuestionnaireResponses, { userId, ...of }, async (versions) =>
      saysAll(versions, (await reading).window, wanted),
    );
  const [{ window: last, behind }, entries, sleepy, mood, screened, noddedOffAt, flag] = await Promise.all([
    reading,
    readLatestEntries(tables.SleepEntries, userId),
    versionsOf(sleepiness, sleepinessReading(currentRules)),
    versionsOf(depression, moodReading(currentRules)),
    versionsOf({ ...screening, scoreId: excludingScore }, screeningReading),
    readNoddedOffAt(tables.SleepinessSigns, userId),
    readFlagState(tables.QuestionnaireFlags, userId),
  ]);
  return {
    ...{ last, behind, flag },
    ...sleepinessOf(sleepy, noddedOffAt, currentRules),
    ...moodOf(mood, currentRules),
    ...screenedOf(screened),
    nights: entries.map(({ night }) => night),
    zone: entries.at(-1)?.content.zone ?? null,
  };
}
