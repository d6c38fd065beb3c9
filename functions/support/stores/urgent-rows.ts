import { isDeepStrictEqual } from 'node:util';
import { isTime } from '../../../lib/contract/instant.ts';
import type { Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import { isPossibleKey } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import type { Key } from '../rules/ticket.ts';
import { isOfSomeSite } from '../rules/unfit-row.ts';
import { escalatesAt, type UrgentRow, type UrgentTicket } from '../rules/urgent-ticket.ts';
import type { UrgentTickets } from '../tables.ts';
import { countRows, type Read, readPage, userPart } from './ticket-rows.ts';

/** Table `UrgentTickets`; tables.ts says which rows there are. Every read is strongly consistent. */

const urgentKey = (ticketId: string): Key => ({ part: `urgent#${ticketId}`, name: 'ticket' });
const safetyPart = 'urgent-safety';
const sitePart = (siteId: string) => `urgent-site#${siteId}`;

/** The rows by which it is listed until somebody acknowledges it. */
export function openKeys(ticket: UrgentTicket): Key[] {
  const { ticketId, siteId, raisedAt } = ticket;
  return [
    { part: safetyPart, name: `${escalatesAt(ticket)}#${ticketId}` },
    ...(siteId === null ? [] : [{ part: sitePart(siteId), name: `${raisedAt}#${ticketId}` }]),
  ];
}

const ownerKey = ({ userId, ticketId }: Pick<UrgentTicket, 'userId' | 'ticketId'>): Key => ({
  part: userPart(userId),
  name: `urgent#${ticketId}`,
});

/** @param name of the row under its person; what else the row says, others may have written */
export const ticketIdOf = (name: string): string => name.slice('urgent#'.length);

/** On the condition that there is none yet. One that is acknowledged already is on no list. */
export function openUrgentItems(table: UrgentTickets<'put'>, ticket: UrgentTicket): Items {
  const isNew = ifAbsent('part');
  return [
    put(table, { ...urgentKey(ticket.ticketId), ...ticket }, isNew),
    put(table, { ...ownerKey(ticket), ticketId: ticket.ticketId }),
    ...(ticket.acknowledgedAt === null ? openKeys(ticket) : []).map((key) => put(table, { ...key, ...ticket })),
  ];
}

/** On the condition that it is still the one that was read, and open. @param after acknowledged */
export function acknowledgeItems(
  table: UrgentTickets<'put' | 'remove'>,
  before: UrgentTicket,
  after: UrgentTicket,
): Items {
  return [putInPlaceOf(table, before, after), ...openKeys(before).map((key) => remove(table, key))];
}

/** Onto other lists, on the same condition. */
export function moveItems(table: UrgentTickets<'put' | 'remove'>, before: UrgentTicket, after: UrgentTicket): Items {
  const keys = openKeys(after);
  const isKept = (key: Key) => keys.some(({ part, name }) => part === key.part && name === key.name);
  const left = openKeys(before).filter((key) => !isKept(key));
  return [
    putInPlaceOf(table, before, after),
    ...keys.map((key) => put(table, { ...key, ...after })),
    ...left.map((key) => remove(table, key)),
  ];
}

/** To another person, by whom the erasure and the export find it then. */
export function giveItems(table: UrgentTickets<'put' | 'remove'>, before: UrgentTicket, after: UrgentTicket): Items {
  const [left, owner] = [ownerKey(before), ownerKey(after)];
  return [
    ...moveItems(table, before, after),
    ...(left.part === owner.part ? [] : [remove(table, left), put(table, { ...owner, ticketId: after.ticketId })]),
  ];
}

function putInPlaceOf(table: UrgentTickets<'put'>, before: UrgentTicket, after: UrgentTicket) {
  const { expression, values } = onLists(before);
  const isStill = {
    ConditionExpression: `attribute_type(acknowledgedAt, :null) AND ${expression}`,
    ExpressionAttributeValues: { ':null': 'NULL', ...values },
  };
  return put(table, { ...urgentKey(after.ticketId), ...after }, isStill);
}

/** The condition that the ticket is still on the lists on which it was read, so removing it from these lists leaves it on no other list. */
function onLists({ siteId, dueAt }: UrgentTicket) {
  return {
    expression: `dueAt = :dueAt AND ${siteId === null ? 'attribute_type(siteId, :null)' : 'siteId = :siteId'}`,
    values: { ':dueAt': dueAt, ...(siteId !== null && { ':siteId': siteId }) },
  };
}

/**
 * All of its rows. Who acknowledges it meanwhile deletes rows of the same keys, and puts none on a ticket that is gone. Nobody
 * moves a ticket with values that none of ours writes, and no condition is met by them.
 */
export function eraseUrgentItems(table: UrgentTickets<'remove'>, ticket: UrgentTicket): Items {
  const { expression, values } = onLists(ticket);
  const isStill = {
    ConditionExpression: `attribute_not_exists(part) OR (${expression})`,
    ExpressionAttributeValues: { ...values, ...(ticket.siteId === null && { ':null': 'NULL' }) },
  };
  const isAsWritten = isOfSomeSite(ticket) && isTime(ticket.dueAt);
  const others = [ownerKey(ticket), ...openKeys(ticket).filter(({ part, name }) => isPossibleKey(part, name))];
  return [
    remove(table, urgentKey(ticket.ticketId), isAsWritten ? isStill : {}),
    ...others.map((key) => remove(table, key)),
  ];
}

export async function readUrgentTicket(table: UrgentTickets<'get'>, ticketId: string): Promise<UrgentTicket | null> {
  const row = await get<UrgentRow>(table, urgentKey(ticketId));
  if (!row) return null;
  const { part: _part, name: _name, ...ticket } = row;
  return ticket;
}

/** Whether a list, or the row of its own, has the ticket as it is. */
export async function isListed(table: UrgentTickets<'get'>, key: Key, ticket: UrgentTicket): Promise<boolean> {
  return isDeepStrictEqual(await get(table, key), { ...key, ...ticket });
}

type Page = { readonly limit: number; readonly after: string | null };

function ticketsIn(table: UrgentTickets<'query'>): Read<UrgentRow> {
  return (asked, limit) => queryPage<UrgentRow>(table, asked, limit);
}

/** A page of what `clinical-safety` has to see to by now, longest first. */
export async function readForSafety(table: UrgentTickets<'query'>, now: Date, page: Page) {
  return readPage(ticketsIn(table), { part: safetyPart, until: sinceThen(now), ...page });
}

export async function countForSafety(table: UrgentTickets<'query'>, now: Date): Promise<number> {
  return countRows(table, { part: safetyPart, until: sinceThen(now) });
}

/** A page of those of sites that `clinical-safety` has not to see to yet. */
export async function readWaiting(table: UrgentTickets<'query'>, now: Date, page: Page) {
  return readPage(ticketsIn(table), { part: safetyPart, from: sinceThen(now), ...page });
}

/** Where a page ended: behind a site's ticket; `name` is empty before its first. */
export type SitePosition = { readonly siteId: string; readonly name: string };

/** Sites that one request looks at. */
const mostSites = 10;

/**
 * A page of the tickets of several sites, site by site, of each longest first. It ends early where it met ten sites: `next` is null
 * only where nothing is left.
 *
 * @param sites each once
 */
export async function readOfSites(
  table: UrgentTickets<'query'>,
  sites: readonly string[],
  { limit, after }: { readonly limit: number; readonly after: SitePosition | null },
): Promise<{ found: UrgentTicket[]; next: SitePosition | null }> {
  const left = sites.toSorted().filter((siteId) => after === null || siteId >= after.siteId);
  const found: UrgentTicket[] = [];
  for (const [index, siteId] of left.entries()) {
    if (index === mostSites || found.length === limit) return { found, next: { siteId, name: '' } };
    const from = after?.siteId === siteId && after.name !== '' ? after.name : null;
    const page = { limit: limit - found.length, after: from };
    const { found: more, next } = await readPage(ticketsIn(table), { part: sitePart(siteId), ...page });
    found.push(...more);
    if (next !== null) return { found, next: { siteId, name: next } };
  }
  return { found, next: null };
}

/** That millisecond included: what stands behind the time sorts below `~`. */
function sinceThen(now: Date): string {
  return `${now.toISOString()}~`;
}
