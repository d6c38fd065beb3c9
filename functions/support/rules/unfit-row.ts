import { isIdInRow } from '../../../lib/contract/id.ts';
import { isTime } from '../../../lib/contract/instant.ts';
import type { UrgentTicket } from './urgent-ticket.ts';

/** Rows of lists that no answer can show. Pure. */

const longestId = 64;
const ids = ['flagId', 'userId', 'responseId'];
const times = ['raisedAt', 'recordedAt', 'receivedAt'];

export function isUnfit(row: Readonly<Record<string, unknown>>): boolean {
  const isId = (text: unknown) => typeof text === 'string' && text !== '' && text.length <= longestId;
  return !ids.every((name) => isId(row[name])) || !times.every((name) => isTime(row[name]));
}

/** Of a site that is none the ticket is on lists that nobody asks for, and no condition of ours holds on it. */
export function isOfSomeSite({ siteId }: Pick<UrgentTicket, 'siteId'>): boolean {
  return siteId === null || isIdInRow(siteId);
}

/** @throws a TypeError, as there is nothing to wait for */
export function checkSite(ticket: Pick<UrgentTicket, 'siteId'>): void {
  if (!isOfSomeSite(ticket)) throw new TypeError('an urgent ticket of a site that is none');
}
