import type { AgreementWithVersions } from '../../functions/agreements/rules.ts';
import type { CourseDraft } from '../../functions/learning/jobs/course-folder.ts';
import type { Definition } from '../../functions/questionnaires/rules.ts';
import { addDays } from '../../functions/sleep/rules.ts';
import { type AnsweredQuestionnaire, answeredQuestionnaires } from './answers.ts';
import { type ConsentDecision, consentDecisions } from './decisions.ts';
import { type CompletedUnit, completedUnits } from './lessons.ts';
import { type RecordedNight, recordedNights } from './nights.ts';
import { type AppVersionUse, at, type Plan, type Traits, traitsOf } from './traits.ts';

/**
 * Patients who do not exist, for tests and demonstrations. The same plan makes the same patients. The first ten of two hundred
 * patients are the same as all patients of a plan with ten. Nothing is derived from the data of real people. Pure.
 */

/** What a stage offers to its patients. */
export type Contents = {
  readonly agreements: readonly AgreementWithVersions[];
  readonly questionnaires: readonly Definition[];
  readonly course: CourseDraft;
};

export type SyntheticPatient = Pick<Traits, 'userId' | 'zone' | 'locale' | 'from' | 'to'> & {
  readonly email: string;
  readonly platform: 'ios' | 'android';
  readonly joinedAt: string;
  /** Oldest first. */
  readonly appVersions: readonly AppVersionUse[];
  /** By time. */
  readonly consents: readonly ConsentDecision[];
  readonly nights: readonly RecordedNight[];
  readonly questionnaires: readonly AnsweredQuestionnaire[];
  readonly units: readonly CompletedUnit[];
};

/** The versions of the app, each with the share of all days after which it was released. */
const releases = [
  ['2.0.0', -1],
  ['2.1.0', 0.2],
  ['2.2.0', 0.6],
] as const;

/** @throws an Error if the plan is not possible */
export function* syntheticPatients(plan: Plan, contents: Contents): Generator<SyntheticPatient, void, undefined> {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(plan.until) && !Number.isNaN(Date.parse(plan.until));
  if (!isDate) throw new Error('until must be a date such as 2026-11-22');
  const isWhole = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
  if (!isWhole(plan.patients, 1_000_000)) throw new Error('patients must be a whole number from 1 to 1000000');
  if (!isWhole(plan.days, 3650)) throw new Error('days must be a whole number from 1 to 3650');
  for (let number = 1; number <= plan.patients; number += 1) yield syntheticPatient(plan, contents, number);
}

function syntheticPatient(plan: Plan, contents: Contents, number: number): SyntheticPatient {
  const traits = traitsOf(plan, number);
  const { random, userId, zone, locale, from, to } = traits;
  const joinedAt = at(from, random.whole(8 * 60, 13 * 60), zone);
  const appVersions = versionsUsed(plan, traits, joinedAt);
  return {
    userId,
    zone,
    locale,
    from,
    to,
    // Nobody owns addresses in example.com (RFC 2606).
    email: `${userId}@example.com`,
    platform: random.chance(0.55) ? 'ios' : 'android',
    joinedAt,
    appVersions,
    consents: consentDecisions(traits, contents.agreements, { joinedAt, appVersions }),
    nights: recordedNights(traits),
    questionnaires: answeredQuestionnaires(traits, contents.questionnaires, joinedAt),
    units: completedUnits(traits, contents.course, joinedAt),
  };
}

function versionsUsed({ days, until }: Plan, { random, from, to, zone }: Traits, joinedAt: string): AppVersionUse[] {
  const used: AppVersionUse[] = [];
  for (const [appVersion, share] of releases) {
    const releasedOn = addDays(until, 1 - days + Math.floor(days * share));
    // Most phones install a new version within two weeks, a few never.
    const takenOn = addDays(releasedOn, Math.floor(14 * random.next() * random.next()));
    const isTaken = random.chance(0.92);
    if (takenOn <= from) {
      if (isTaken || used.length === 0) used.splice(0, 1, { appVersion, from: joinedAt });
    } else if (isTaken && takenOn <= to) {
      used.push({ appVersion, from: at(takenOn, 14 * 60 + random.whole(0, 300), zone) });
    }
  }
  return used;
}
