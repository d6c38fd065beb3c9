import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { readBundles, readLocaleAndZone } from '../../questionnaires/exports.ts';
import type { LocaleAndZone } from '../../questionnaires/rules.ts';
import { defaultZone, momentIn, type Occurrence, occurrencesOf, openOccurrences } from '../../questionnaires/rules.ts';
import type { Questionnaires } from '../../questionnaires/tables.ts';
import type { Users } from '../../users/tables.ts';
import { readWindowRun } from '../../window-runs/exports.ts';
import type { SleepWindows } from '../../window-runs/tables.ts';
import { QuestionnaireNotDue } from '../errors.ts';
import type { EntitlementReader } from '../stores/entitlements.ts';
import type { ResponseDependencies } from './dependencies.ts';

export type Scheduled = ResponseDependencies<{
  readonly Questionnaires: Questionnaires<'query'>;
  readonly Users: Users<'get'>;
  readonly SleepWindows: SleepWindows<'query'>;
}> & {
  readonly entitlements: EntitlementReader;
};

export type Schedule = {
  readonly occurrences: Occurrence[];
  readonly zone: string;
  readonly localeAndZone: LocaleAndZone;
};

/** All occurrences of a user's bundles, open or not. */
export async function readSchedule({ tables, userId, entitlements }: Scheduled): Promise<Schedule> {
  const [bundles, granted, localeAndZone, run] = await Promise.all([
    readBundles(tables.Questionnaires),
    entitlements(userId),
    readLocaleAndZone(tables.Users, userId),
    readWindowRun(tables.SleepWindows, userId),
  ]);
  const zone = localeAndZone.timezone ?? defaultZone;
  return { occurrences: occurrencesOf(bundles, granted, zone, run), zone, localeAndZone };
}

/**
 * The occurrences of a bundle to which a response can belong, by the time at which it was recorded, in their order.
 *
 * @throws a Failure: `VALIDATION_FAILED` if the user has no such bundle with this questionnaire, or
 * `QUESTIONNAIRE_NOT_DUE`
 */
export async function findOccurrences(
  deps: Scheduled,
  { bundleId, questionnaireId, recordedAt }: { bundleId: string; questionnaireId: string; recordedAt: string },
): Promise<readonly Occurrence[]> {
  const { occurrences, zone } = await readSchedule(deps);
  const isOfBundle = ({ bundle }: Occurrence) =>
    bundle.bundleId === bundleId && bundle.questionnaireIds.includes(questionnaireId);
  if (!occurrences.some(isOfBundle)) {
    const message = 'is no bundle of the caller with this questionnaire';
    throw new Failure(ValidationFailed, { issues: [{ in: 'body', path: 'bundleId', code: 'invalid_value', message }] });
  }
  const open = openOccurrences(occurrences, bundleId, momentIn(zone, new Date(recordedAt)));
  if (open.length === 0) throw new Failure(QuestionnaireNotDue);
  return open;
}
