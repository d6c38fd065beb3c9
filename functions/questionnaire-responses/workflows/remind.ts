import { readBundles } from '../../questionnaires/exports.ts';
import { type Bundle, mayRemind, mayRemindOfRun } from '../../questionnaires/rules.ts';
import { type CandidateSource, candidateSourcesOf, comparedTo } from '../rules/reminder-candidates.ts';
import { putPosition, readPosition } from '../stores/reminders.ts';
import { type DueReminder, type Reminding, remindUser } from './remind-user.ts';

/** Agent-board messages about due questionnaires: one for each occurrence, and at most two a week for each user. */

/** The time that a run keeps before its time-out. The next run continues. */
const reserveMs = 10_000;

/** After so many users a run stores how far it has come. */
const noteEvery = 200;

export type Reminded = {
  readonly reminded: number;
  readonly isComplete: boolean;
  /** The errors of people who were skipped. The next run from the start tries them again. */
  readonly failures: readonly unknown[];
};

/**
 * Processes all users who may get a reminder today, from where the last run stopped. If a user cannot be reminded, this
 * is counted, and the other users are still reminded.
 *
 * @returns the result of the run, which is repeatable
 */
export async function remind(deps: Reminding): Promise<Reminded> {
  const { tables, now, remainingMs } = deps;
  const table = tables.QuestionnaireResponses;
  const [bundles, position] = await Promise.all([readBundles(tables.Questionnaires), readPosition(table)]);
  const failures: unknown[] = [];
  let [reminded, passed] = [0, 0];
  const utc = now.toISOString().slice(0, 10);
  // A user can be at several places, and one look is enough.
  const seen = new Set<string>();
  for (const source of candidateSourcesOf(bundles, utc)) {
    const { bundleId, date } = source;
    const order = position === null ? 1 : comparedTo(position, source);
    if (order < 0) continue;
    let last = order === 0 ? (position?.last ?? null) : null;
    const isOutOfTime = async () => {
      if (remainingMs() >= reserveMs) return false;
      await putPosition(table, { bundleId, date, last });
      return true;
    };
    if (await isOutOfTime()) return { reminded, isComplete: false, failures };
    for await (const { id, userId, listed, isWanted } of candidatesAt(deps, source, {
      bundles,
      utc,
      after: last,
    })) {
      if (await isOutOfTime()) return { reminded, isComplete: false, failures };
      if (!seen.has(userId)) {
        try {
          if (isWanted()) {
            seen.add(userId);
            if (await remindUser(deps, { userId, listed }, bundles)) reminded += 1;
          }
        } catch (error) {
          failures.push(error);
        }
      }
      passed += 1;
      last = id;
      if (passed % noteEvery === 0) await putPosition(table, { bundleId, date, last });
    }
  }
  if (position !== null || passed >= noteEvery) await putPosition(table, null);
  return { reminded, isComplete: true, failures };
}

type Candidate = DueReminder & {
  /** What the place is listed by. */
  readonly id: string;
  /** Whether a reminder may be due today: known without another read. */
  readonly isWanted: () => boolean;
};

type Looked = { readonly bundles: readonly Bundle[]; readonly utc: string; readonly after: string | null };

async function* candidatesAt(
  { startedOn, runs }: Reminding,
  source: CandidateSource,
  { bundles, utc, after }: Looked,
): AsyncGenerator<Candidate> {
  const { date, bundle } = source;
  if (bundle) {
    for await (const { userId, ...granted } of startedOn(source.programmeId, date, after)) {
      yield { id: granted.entitlementId, userId, listed: null, isWanted: () => mayRemind(bundle, granted, utc) };
    }
    return;
  }
  for await (const { run, userId, startedOn: day } of runs.startedIn(date, after)) {
    yield { id: run, userId, listed: day, isWanted: () => bundles.some((each) => mayRemindOfRun(each, day, utc)) };
  }
}
