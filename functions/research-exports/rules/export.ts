import type { Decision } from './cells.ts';

/** The rules of a study's export: pending → running → done or failed, and the steps in between. Pure: times are arguments. */

type ExportStatus = 'pending' | 'running' | 'done' | 'failed';

/** What the study declares when the export is begun. */
export type Design = {
  readonly title: string;
  readonly agreementId: string;
  readonly dataClasses: readonly ('diary' | 'episodes' | 'questionnaires' | 'learning')[];
  readonly period: { readonly from: string; readonly until: string };
  readonly quasiIdentifiers: readonly {
    readonly field: string;
    readonly smallCells: 'generalise' | 'suppress' | 'refuse';
  }[];
  readonly shiftDates: boolean;
};

/** A file that is longer than one part is uploaded in parts. */
export type Upload = {
  readonly uploadId: string;
  readonly etags: readonly string[];
  /** The first page of participants, in the order of the file, that is not in the parts yet. */
  readonly page: number;
  readonly rows: number;
};

type Step =
  /** `after` is the last enrolment of the last page. */
  | { readonly kind: 'read'; readonly after: string | null }
  | { readonly kind: 'decide' }
  | { readonly kind: 'write'; readonly file: number; readonly upload: Upload | null }
  | { readonly kind: 'seal' };

type File = { readonly name: string; readonly bytes: number; readonly rows: number; readonly sha256: string };

export type Failure = 'SMALL_CELLS' | 'TOO_MANY_PARTICIPANTS' | 'GIVEN_UP';

export type ResearchExport = {
  readonly studyId: string;
  readonly exportId: string;
  readonly status: ExportStatus;
  readonly requestedAt: string;
  /** People who joined later are in the next export. Measured by the clock of the business rules, like enrolments. */
  readonly enrolledUntil: string;
  /** Null until it is begun. */
  readonly design: Design | null;
  readonly step: Step;
  readonly pages: number;
  /** Enrolments that were read so far. */
  readonly enrolments: number;
  /** Participants whose data was read; after the decision, participants in the files. */
  readonly participants: number;
  /** The revision in the name of the object that has the decision; null before the decision. */
  readonly decidedAt: number | null;
  readonly smallCells: (Pick<Decision, 'levels' | 'suppressed'> & { readonly withdrawn: number }) | null;
  readonly files: readonly File[];
  readonly failure: Failure | null;
  readonly finishedAt: string | null;
  /** When the last work on it was done. */
  readonly progressAt: string;
  /** Until then one function works on it, and no other function begins. */
  readonly leaseEndsAt: string | null;
  /** Of the last claim. Two functions can claim it in the same millisecond; without it, each would take the other's claim for its own. */
  readonly claimId?: string;
  /** Counts the changes, from 0. A change that was decided from an older state is not written. */
  readonly revision: number;
};

/** All that a request writes: the rest is written by the function that makes the export, and by no other. */
export type AskedExport = Pick<ResearchExport, 'studyId' | 'exportId' | 'requestedAt' | 'enrolledUntil'>;

type ExportKey = { readonly studyId: string; readonly exportId: string };

/**
 * Once it is begun, the row says twice what was asked for: who asks may write the one, and only who makes the export the other. A row
 * that somebody planted may lack anything.
 */
export type ExportRow = ExportKey &
  Partial<ResearchExport> & { readonly begun?: Pick<AskedExport, 'requestedAt' | 'enrolledUntil'> };

/** Which export of a study was requested last. */
export type Latest = ExportKey & { readonly latestId: string };

export type Page = {
  /** The revision of the export when the objects of the page were stored; it is part of their keys. */
  readonly putAt: number;
  readonly participants: number;
  /** The questionnaires that the page has answers to: `phq-9/1.0`. */
  readonly definitions: readonly string[];
};
export type PageRow = Page & { readonly exportKey: string; readonly page: string; readonly expiresAt: number };

/** How long the files stay in the bucket; S3 deletes them at the next midnight. */
export const keptDays = 7;
export const linkSeconds = 15 * 60;

/** The quasi-identifiers of all participants are compared in memory. */
export const mostParticipants = 20_000;

/** If nothing was done for this long, nobody works on it any more: all deliveries of a message together take less. */
const givenUpAfterMs = 2 * 3_600_000;
const dayMs = 86_400_000;

export type Asking = {
  readonly studyId: string;
  readonly enrolledUntil: Date;
  readonly now: Date;
  /** Eight or more hexadecimal digits, which make the id unique. */
  readonly random: string;
};

export function asked({ studyId, enrolledUntil, now, random }: Asking): AskedExport {
  const requestedAt = now.toISOString();
  return {
    studyId,
    // Its text sorts by its time.
    exportId: `${requestedAt.replace(/[-:.]/g, '')}-${random.slice(0, 8)}`,
    requestedAt,
    enrolledUntil: enrolledUntil.toISOString(),
  };
}

/** @param row as the table has it */
export function exportOf(row: AskedExport & Partial<ResearchExport>): ResearchExport {
  return {
    status: 'pending',
    design: null,
    step: { kind: 'read', after: null },
    pages: 0,
    enrolments: 0,
    participants: 0,
    decidedAt: null,
    smallCells: null,
    files: [],
    failure: null,
    finishedAt: null,
    progressAt: row.requestedAt,
    leaseEndsAt: null,
    revision: 0,
    ...row,
  };
}

/** @throws an Error if nobody has begun the export */
export function designOf({ design }: Pick<ResearchExport, 'design'>): Design {
  if (!design) throw new Error('this export has no design yet');
  return design;
}

export function isOpen({ status }: Pick<ResearchExport, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** It is open, but nobody works on it any more: it counts as failed. */
export function isGivenUp(row: ResearchExport, now: Date): boolean {
  return isOpen(row) && now.getTime() - Date.parse(row.progressAt) > givenUpAfterMs;
}

/** When the files are deleted. */
export function filesUntil({ finishedAt }: Pick<ResearchExport, 'finishedAt'>): Date | null {
  return finishedAt === null ? null : new Date(Date.parse(finishedAt) + keptDays * dayMs);
}

export type Claim =
  | { readonly outcome: 'over' }
  | { readonly outcome: 'busy' }
  | { readonly outcome: 'given-up'; readonly after: ResearchExport }
  | { readonly outcome: 'claimed'; readonly after: ResearchExport };

/**
 * @param design what the study declares now
 * @param claim.until the time at which the claiming function has certainly ended
 */
export function claimed(
  row: ResearchExport,
  design: Design | null,
  now: Date,
  { until, claimId }: { readonly until: Date; readonly claimId: string },
): Claim {
  if (!isOpen(row)) return { outcome: 'over' };
  if (isGivenUp(row, now) || !design) return { outcome: 'given-up', after: failed(row, 'GIVEN_UP', now) };
  if (row.leaseEndsAt !== null && Date.parse(row.leaseEndsAt) > now.getTime()) return { outcome: 'busy' };
  return {
    outcome: 'claimed',
    after: next({ ...row, design, status: 'running', leaseEndsAt: until.toISOString(), claimId }, now),
  };
}

/** A change within a step. */
export function progressed(row: ResearchExport, change: Partial<ResearchExport>, now: Date): ResearchExport {
  return next({ ...row, ...change }, now);
}

/** The next step, which any function may claim. */
export function stepped(row: ResearchExport, change: Partial<ResearchExport>, now: Date): ResearchExport {
  return next({ ...row, ...change, leaseEndsAt: null }, now);
}

export function done(row: ResearchExport, now: Date): ResearchExport {
  return next({ ...row, status: 'done', finishedAt: now.toISOString(), leaseEndsAt: null }, now);
}

export function failed(row: ResearchExport, failure: Failure, now: Date): ResearchExport {
  const after = { ...row, status: 'failed' as const, failure, files: [], finishedAt: now.toISOString() };
  return next({ ...after, leaseEndsAt: null }, now);
}

function next(row: ResearchExport, now: Date): ResearchExport {
  return { ...row, revision: row.revision + 1, progressAt: now.toISOString() };
}

export function exportKeyOf({ studyId, exportId }: Pick<ResearchExport, 'studyId' | 'exportId'>): string {
  return `${studyId}#${exportId}`;
}

/** The name under which a page is stored; the names sort in the order of the pages. */
export function pageName(number: number): string {
  return String(number).padStart(6, '0');
}
