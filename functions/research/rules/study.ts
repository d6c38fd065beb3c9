import type { dataClasses, quasiIdentifiers, smallCells, states } from '../schemas.ts';

/** The rules of a study: what it collects, and its states. Pure. */

type DataClass = (typeof dataClasses)[number];
export type StudyState = (typeof states)[number];

type QuasiIdentifier = {
  readonly field: (typeof quasiIdentifiers)[number];
  readonly smallCells: (typeof smallCells)[number];
};

/** To which states each leads. */
export const transitions: Readonly<Record<StudyState, readonly StudyState[]>> = {
  draft: ['recruiting'],
  recruiting: ['closed'],
  closed: ['archived'],
  archived: [],
};

/** What a participant agrees to: it cannot change once anybody could have joined. */
export type Collected = {
  /** Of the sleep-care app. It is optional: a participant can revoke it. */
  readonly agreementId: string;
  readonly dataClasses: readonly DataClass[];
  /** Dates, both included. */
  readonly period: { readonly from: string; readonly until: string };
  readonly groups: readonly string[];
  readonly quasiIdentifiers: readonly QuasiIdentifier[];
  readonly shiftDates: boolean;
};

export type Study = Collected & {
  readonly studyId: string;
  readonly title: string;
  readonly state: StudyState;
  /** The hash of the code by which participants join; null before the first one is made. */
  readonly codeId: string | null;
  readonly createdAt: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
  /** The request that made it what it is. */
  readonly changeId: string;
};

type StudiesKey = { readonly kind: string; readonly studyKey: string };
export type StudyRow = StudiesKey & Study;

/** What a join depends on. Whoever leaves a study that is not there makes a row that has only a number. */
export type CounterShard = StudiesKey & {
  readonly state?: StudyState;
  readonly codeId?: string | null;
  readonly participants?: number;
};

/** What an audit event says of a study: not the code, nor its hash. */
export function auditedStudy(study: Omit<Study, 'studyId' | 'createdAt' | 'revision' | 'changeId' | 'codeId'>) {
  return { title: study.title, ...collectedBy(study), state: study.state };
}

/** In the order of one list, so that text compares them. */
export function collectedBy(study: Collected): Collected {
  const { agreementId, dataClasses: classes, period, groups, quasiIdentifiers: identifiers, shiftDates } = study;
  return {
    agreementId,
    dataClasses: classes,
    period: { from: period.from, until: period.until },
    groups,
    quasiIdentifiers: identifiers.map(({ field, smallCells: small }) => ({ field, smallCells: small })),
    shiftDates,
  };
}

/** @returns whether a study may become this */
export function canBecome(before: Study, after: Collected): boolean {
  return before.state === 'draft' || JSON.stringify(collectedBy(before)) === JSON.stringify(collectedBy(after));
}

/** Whether somebody can join at that time. */
export function isRecruiting({ state, period }: Pick<Study, 'state' | 'period'>, now: Date): boolean {
  return state === 'recruiting' && now.toISOString().slice(0, 10) <= period.until;
}

/** So many participants at least, or their number is not said: fewer could be recognised. */
export const fewest = 5;

export function shownCount(participants: number): { count: number | null; isFewerThanFive: boolean } {
  const isFewerThanFive = participants < fewest;
  return { count: isFewerThanFive ? null : participants, isFewerThanFive };
}
