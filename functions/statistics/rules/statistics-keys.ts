import type { Generations } from './next-generation.ts';
import type { Counted, Counts } from './tally.ts';

/**
 * The keys of table `ConsentStatistics`, below an agreement: how far each chain of records is counted
 * (`1#chain#<userId>`), what happened on a day (`1#day#2026-11-21#<versionId>`), and since ever (`1#total#<versionId>`). The
 * number is the generation: a rebuild counts into the next one while this one is read.
 */

type Key = { readonly agreementId: string; readonly statisticsKey: string };

/** How far a chain is counted; where it is gone, until when this is kept. */
export type ChainRow = Key & Counted & { readonly expiresAt?: number };
/** What happened on a day, or since ever. */
export type FigureRow = Key & Readonly<Counts>;
export type GenerationsRow = Key & Generations & { readonly revision: number };

/** The one row that says which generations there are. */
export const generationsKey = { agreementId: '*', statisticsKey: 'generation' } as const;

export function chainKey(generation: number, userId: string): string {
  return `${generation}#chain#${userId}`;
}

/** @param date `2026-11-21`, in UTC */
export function dayKey(generation: number, date: string, versionId: string): string {
  return `${generation}#day#${date}#${versionId}`;
}

export function totalKey(generation: number, versionId: string): string {
  return `${generation}#total#${versionId}`;
}

/** The first and the last key of the days from `date` on and the totals behind them: one stretch, without the chains. */
export function stretchFrom(generation: number, date: string): [first: string, last: string] {
  return [dayKey(generation, date, ''), totalKey(generation, '~')];
}

/** @returns null for the row of the generations itself */
export function generationOf(statisticsKey: string): number | null {
  const [, generation] = /^(\d+)#/.exec(statisticsKey) ?? [];
  return generation === undefined ? null : Number(generation);
}
