/** How many mails that anybody can ask for go to an address. Pure; in real time, whatever the time machine says. */

import { isToCome } from '../../../lib/contract/instant.ts';
import { revisionOf } from '../../../lib/contract/revision.ts';

export type Sent = {
  mailRecord: string;
  /** Of the last hour, oldest first. */
  mails: { mailId: string; at: string }[];
  /** Counts the changes, from 1. */
  revision: number;
  /** Seconds since 1970. */
  expiresAt: number;
};

/** Not what nobody can count on: else one row that somebody planted would stop all codes of an address for good. */
export function isCounting(row: Partial<Sent> | null): row is Sent {
  return Array.isArray(row?.mails) && revisionOf(row.revision) > 0;
}

export const mostInAnHour = 5;
const hourMs = 3_600_000;

/** @returns the row after the mail; `counted` where it is in it already, `full` where the hour has its five */
export function counted(
  { mailRecord, mailId, now }: { mailRecord: string; mailId: string; now: Date },
  before: Sent | null,
): Sent | 'counted' | 'full' {
  if (before?.mails.some((mail) => mail.mailId === mailId)) return 'counted';
  const since = now.getTime() - hourMs;
  const recent = (before?.mails ?? []).filter(({ at }) => Date.parse(at) > since && !isToCome(at, now));
  if (recent.length >= mostInAnHour) return 'full';
  return {
    mailRecord,
    mails: [...recent, { mailId, at: now.toISOString() }],
    revision: revisionOf(before?.revision) + 1,
    expiresAt: Math.ceil((now.getTime() + hourMs) / 1000),
  };
}
