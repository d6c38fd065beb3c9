import { addDays, localDate } from '../../questionnaires/rules.ts';
import type { Course, Module, Unit, Unlock } from './course.ts';

/** Interprets the rules by which units are unlocked. Pure: whatever a rule asks for is in the facts. */

export type Facts = {
  /** The patient's own date. */
  readonly today: string;
  /** Null: none that is active unlocks the course. */
  readonly entitlement: { readonly firstDay: string; readonly programmeId: string } | null;
  /** Those with any progress, completed or not. */
  readonly begunUnits: ReadonlySet<string>;
  readonly completedUnits: ReadonlySet<string>;
  /** Those with a completed response. */
  readonly completedQuestionnaires: ReadonlySet<string>;
};

/** Something that is still missing. */
export type Missing = {
  readonly kind: 'entitlement' | 'unit' | 'day' | 'questionnaire';
  readonly unitId: string | null;
  readonly day: number | null;
  readonly date: string | null;
  readonly questionnaireId: string | null;
};

const nothing = { unitId: null, day: null, date: null, questionnaireId: null };

/**
 * All that is still missing, of alternatives each; nothing where it is unlocked.
 *
 * @param isBegun the day was there once: a flight to the west, where it is yesterday, locks nothing again
 */
export function missingFor(rule: Unlock | null, facts: Facts, isBegun = false): Missing[] {
  if (rule === null) return [];
  if ('all' in rule) return rule.all.flatMap((each) => missingFor(each, facts, isBegun));
  if ('any' in rule) {
    const found = rule.any.map((each) => missingFor(each, facts, isBegun));
    return found.some((missing) => missing.length === 0) ? [] : found.flat();
  }
  if ('after' in rule) {
    return facts.completedUnits.has(rule.after) ? [] : [{ ...nothing, kind: 'unit', unitId: rule.after }];
  }
  if ('questionnaire' in rule) {
    const { questionnaire: questionnaireId } = rule;
    const isThere = facts.completedQuestionnaires.has(questionnaireId);
    return isThere ? [] : [{ ...nothing, kind: 'questionnaire', questionnaireId }];
  }
  const { day } = rule;
  const date = facts.entitlement && addDays(facts.entitlement.firstDay, day);
  return date !== null && (isBegun || date <= facts.today) ? [] : [{ ...nothing, kind: 'day', day, date }];
}

type Ruled = Pick<Course<unknown, Module<unknown>>, 'requiresEntitlement'>;

/** What locks the course as a whole. */
function missingForCourse({ requiresEntitlement }: Ruled, facts: Facts): Missing[] {
  return requiresEntitlement && !facts.entitlement ? [{ ...nothing, kind: 'entitlement' }] : [];
}

type RuledUnit = Pick<Unit<unknown>, 'unitId' | 'unlock'>;
type RuledModule = { readonly unlock: Unlock | null; readonly units: readonly RuledUnit[] };

export function missingForModule(course: Ruled, { unlock, units }: RuledModule, facts: Facts): Missing[] {
  const isBegun = units.some(({ unitId }) => facts.begunUnits.has(unitId));
  return distinct([...missingForCourse(course, facts), ...missingFor(unlock, facts, isBegun)]);
}

export function missingForUnit(
  course: Ruled,
  module: RuledModule,
  { unitId, unlock }: RuledUnit,
  facts: Facts,
): Missing[] {
  const own = missingFor(unlock, facts, facts.begunUnits.has(unitId));
  return distinct([...missingForModule(course, module, facts), ...own]);
}

/** Whether a module can be taken along whole: nothing locks its units but units of its own. */
export function isModuleOpen(course: Ruled, module: RuledModule, facts: Facts): boolean {
  const completedUnits = new Set([...facts.completedUnits, ...module.units.map(({ unitId }) => unitId)]);
  const withOwn = { ...facts, completedUnits };
  // The module's own rule counts as things are: it cannot wait for what is inside.
  const isOpen = missingForModule(course, module, facts).length === 0;
  const isLocked = ({ unitId, unlock }: RuledUnit) =>
    missingFor(unlock, withOwn, facts.begunUnits.has(unitId)).length > 0;
  return isOpen && !module.units.some(isLocked);
}

function distinct(missing: readonly Missing[]): Missing[] {
  const seen = new Set<string>();
  return missing.filter((each) => {
    const key = JSON.stringify(each);
    return !seen.has(key) && seen.add(key);
  });
}

type Term = { readonly programmeId: string; readonly startsAt: string; readonly endsAt: string };

/**
 * What an entitlement unlocks of programmes at an instant. Days count from the first entitlement of them that ever began: who
 * goes on with a second code does not find locked again what was open.
 *
 * @param programmeIds the first of them that is active is the one whose texts the patient reads
 */
export function entitlementAt(
  entitlements: readonly Term[],
  programmeIds: readonly string[],
  at: Date,
  zone: string,
): Facts['entitlement'] {
  const instant = at.toISOString();
  const active = entitlements.filter(({ startsAt, endsAt }) => startsAt <= instant && instant < endsAt);
  const programmeId = programmeIds.find((each) => active.some((term) => term.programmeId === each));
  return programmeId === undefined ? null : { firstDay: firstDayOf(entitlements, programmeIds, at, zone), programmeId };
}

/** The date, of the patient's calendar, on which the first entitlement of the programmes began that ever did. */
export function firstDayOf(
  entitlements: readonly Term[],
  programmeIds: readonly string[],
  at: Date,
  zone: string,
): string {
  const instant = at.toISOString();
  const begun = entitlements.filter(
    ({ programmeId, startsAt, endsAt }) =>
      programmeIds.includes(programmeId) && startsAt < endsAt && startsAt <= instant,
  );
  const [first = instant] = begun.map(({ startsAt }) => startsAt).toSorted();
  return localDate(new Date(first), zone);
}
