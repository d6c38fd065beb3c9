import * as z from 'zod/mini';
import { CalendarDate, combined, Id, Timestamp, visibleLine, wellFormed } from '../../lib/contract/fields.ts';

export const dataClasses = ['diary', 'episodes', 'questionnaires', 'learning'] as const;

/** Of a participant's profile. */
export const profileFields = ['timezone', 'locale'] as const;

/** Each can tell who somebody is, together with the others. */
export const quasiIdentifiers = ['timezone', 'locale', 'group'] as const;

/** What an export does with a value that fewer than five participants have. */
export const smallCells = ['generalise', 'suppress', 'refuse'] as const;

export const states = ['draft', 'recruiting', 'closed', 'archived'] as const;

const title = z.string().check(
  z.overwrite((given) => given.trim()),
  z.maxLength(200),
  wellFormed,
  visibleLine,
);

/** A name in files, so that it has no character that a program takes for something else. */
export const StudyGroupName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'must be 1 to 40 letters, digits, hyphens and underscores'));

const different = z.refine<readonly string[]>(areDifferent, { error: 'must name each only once' });

/** Dates, both included. */
export const StudyPeriod = z
  .object({ from: CalendarDate, until: CalendarDate })
  .check(z.refine(({ from, until }) => from <= until, 'must not end before it begins'));

const quasiIdentifier = {
  field: z.enum(quasiIdentifiers),
  /** What an export does with a value that fewer than five participants have. */
  smallCells: z.enum(smallCells),
};

export const NewStudyQuasiIdentifier = z.object(quasiIdentifier);

export const StudyQuasiIdentifier = z.object(quasiIdentifier);

const collected = {
  /** Of an optional agreement of the sleep-care app. */
  agreementId: Id,
  dataClasses: z.array(z.enum(dataClasses)).check(z.minLength(1), z.maxLength(dataClasses.length), different),
  period: StudyPeriod,
  groups: z.array(StudyGroupName).check(z.maxLength(20), different),
  /** Whether an export moves all dates of a participant by the same number of days. */
  shiftDates: z.boolean(),
};

const newIdentifiers = z.array(NewStudyQuasiIdentifier).check(
  z.maxLength(quasiIdentifiers.length),
  z.refine((all) => areDifferent(all.map(({ field }) => field)), { error: 'must name each field only once' }),
);

export const StudyDefinition = z.object(combined({ title }, collected, { quasiIdentifiers: newIdentifiers }));

export const Study = z.object(
  combined({ studyId: Id, title: z.string() }, collected, {
    quasiIdentifiers: z.array(StudyQuasiIdentifier),
    state: z.enum(states),
    /** Whether there is a code by which participants join. */
    hasCode: z.boolean(),
    createdAt: Timestamp,
  }),
);

/** What a study asks of its participants. */
const asked = {
  studyId: Id,
  title: z.string(),
  /** What the participant has to agree to. */
  agreementId: Id,
  dataClasses: z.array(z.enum(dataClasses)),
  period: StudyPeriod,
  /** What of the profile comes into the files. */
  profileFields: z.array(z.enum(profileFields)),
  shiftDates: z.boolean(),
};

export const StudyOffer = z.object(
  combined(asked, {
    /** Whether it takes in participants, and the code can still be used. */
    isOpen: z.boolean(),
    /** Whether the caller agrees to the agreement now. */
    isAgreed: z.boolean(),
    isParticipating: z.boolean(),
  }),
);

export const OwnStudy = z.object(
  combined(asked, {
    enrolledAt: Timestamp,
    isParticipating: z.boolean(),
    /** Null while the caller takes part. */
    leftAt: z.nullable(Timestamp),
    /** What the caller chose when leaving; null while the caller takes part. */
    keepExported: z.nullable(z.boolean()),
  }),
);

function areDifferent(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
