import type { Items } from '../../../lib/runtime/commit.ts';
import { ifStill } from '../../../lib/runtime/conditions.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, type Query, query, remove, update } from '../../../lib/runtime/rows.ts';
import type { Any } from '../../../lib/runtime/table-handle.ts';
import {
  type Comment,
  type CommentRow,
  closesAfter,
  dueAt,
  isUnsolved,
  type Key,
  mostUnsolved,
  type State,
  type Ticket,
  type TicketRow,
  type UnsolvedCount,
} from '../rules/ticket.ts';
import type { SupportTickets } from '../tables.ts';

/** Table `SupportTickets`; tables.ts says which rows there are. Every read is strongly consistent. */

export const ticketPart = (ticketId: string) => `ticket#${ticketId}`;
export const userPart = (userId: string) => `user#${userId}`;
export const ticketKey = (ticketId: string): Key => ({ part: ticketPart(ticketId), name: 'ticket' });
const requestPrefix = 'request#';
/** How many of a patient's tickets are unsolved. Sorts behind the tickets, so that an erasure takes it after them. */
export const countName = 'unsolved';
const countKey = (userId: string): Key => ({ part: userPart(userId), name: countName });

/** Which list of staff. */
export type List =
  | { readonly state: State }
  | { readonly priority: string }
  | { readonly assigneeId: string }
  | { readonly siteId: string };

function partOf(list: List): string {
  if ('state' in list) return `state#${list.state}`;
  if ('priority' in list) return `priority#${list.priority}`;
  return 'assigneeId' in list ? `assignee#${list.assigneeId}` : `site#${list.siteId}`;
}

/** All rows of a ticket other than its own: by them it is listed. */
export function listKeys(ticket: Ticket): Key[] {
  const { ticketId, userId, state, priority, assigneeId, siteId, createdAt } = ticket;
  const name = `${createdAt}#${ticketId}`;
  const lists: List[] = [{ state }];
  if (isUnsolved(ticket)) {
    lists.push({ priority });
    if (assigneeId !== null) lists.push({ assigneeId });
    if (siteId !== null) lists.push({ siteId });
  }
  const [due, until] = [dueAt(ticket), closesAfter(ticket)];
  return [
    { part: userPart(userId), name: `${requestPrefix}${ticketId}` },
    ...lists.map((list) => ({ part: partOf(list), name })),
    ...(due === null ? [] : [{ part: 'due', name: `${due}#${ticketId}` }]),
    ...(until === null ? [] : [{ part: 'solved-until', name: `${until}#${ticketId}` }]),
  ];
}

/** The items of a transaction that puts a ticket in the place of what was read; null: there was none, as its id is new. */
export function ticketItems(
  table: SupportTickets<'put' | 'update' | 'remove'>,
  before: Ticket | null,
  after: Ticket,
): Items {
  return [...rowItems(table, before, after), ...countItems(table, before, after)];
}

/** The same without the count: for a ticket that is unsolved before and after, or neither. */
export function rowItems(table: SupportTickets<'put' | 'remove'>, before: Ticket | null, after: Ticket): Items {
  const keys = listKeys(after);
  const isThere = (key: Key) => keys.some(({ part, name }) => part === key.part && name === key.name);
  const left = before ? listKeys(before).filter((key) => !isThere(key)) : [];
  return [
    put(table, { ...ticketKey(after.ticketId), ...after }, before ? stillIs(before) : {}),
    ...keys.map((key) => put(table, { ...key, ...after })),
    ...left.map((key) => remove(table, key)),
  ];
}

/** The count moves with the ticket. One that is opened is refused where the count is full: of many at once none is too many. */
function countItems(table: SupportTickets<'update'>, before: Ticket | null, after: Ticket): Items {
  const by = Number(isUnsolved(after)) - Number(before !== null && isUnsolved(before));
  if (by === 0) return [];
  const counted = {
    UpdateExpression: 'ADD unsolved :by',
    ExpressionAttributeValues: { ':by': by, ...(before === null && { ':most': mostUnsolved }) },
    ...(before === null && { ConditionExpression: 'attribute_not_exists(unsolved) OR unsolved < :most' }),
  };
  return [update(table, countKey(after.userId), counted)];
}

/** Whether a patient has as many unsolved tickets as there can be. */
export async function hasMostUnsolved(table: SupportTickets<'get'>, userId: string): Promise<boolean> {
  const row = await get<UnsolvedCount>(table, countKey(userId));
  return Number(row?.unsolved ?? 0) >= mostUnsolved;
}

/** The condition that a ticket is the one that was read, so that none comes back that an erasure has taken. */
export function stillIs({ revision }: Ticket) {
  return ifStill('part', revision);
}

/** What staff reads, and what the patient does: two rows, so that no reading of the patient's meets an internal note. */
export function commentItems(table: SupportTickets<'put'>, comment: Comment): Items {
  const part = ticketPart(comment.ticketId);
  const prefixes = comment.visibility === 'patient' ? ['all', 'shown'] : ['all'];
  return prefixes.map((prefix) => put(table, { part, name: `${prefix}#${comment.commentId}`, ...comment }));
}

export async function readTicket(table: SupportTickets<'get'>, ticketId: string): Promise<Ticket | null> {
  const row = await get<TicketRow>(table, ticketKey(ticketId));
  return row && ticketOf(row);
}

export async function readComment(
  table: SupportTickets<'get'>,
  { ticketId, commentId }: { readonly ticketId: string; readonly commentId: string },
): Promise<Comment | null> {
  return get<Comment>(table, { part: ticketPart(ticketId), name: `all#${commentId}` });
}

/** Without the key of the row from which it was read. */
function ticketOf({ part: _part, name: _name, ...ticket }: TicketRow): Ticket {
  return ticket;
}

type Page = { readonly limit: number; readonly after: string | null };
type Rows<Row> = { found: Row[]; next: string | null };

function ticketsIn(table: SupportTickets<'query'>): Read<TicketRow> {
  return (asked, limit) => queryPage<TicketRow>(table, asked, limit);
}

/** A page of a list, oldest first. @param page `after`: the `name` that the page before ended with */
export async function readTickets(table: SupportTickets<'query'>, list: List, page: Page): Promise<Rows<Ticket>> {
  const { found, next } = await readPage(ticketsIn(table), { part: partOf(list), ...page });
  return { found: found.map(ticketOf), next };
}

/** A page of what is overdue, longest first. */
export async function readOverdue(table: SupportTickets<'query'>, now: Date, page: Page): Promise<Rows<Ticket>> {
  const { found, next } = await readPage(ticketsIn(table), { part: 'due', until: now.toISOString(), ...page });
  return { found: found.map(ticketOf), next };
}

/** Of those that were solved so long ago that they are closed, some. */
export async function readLapsed(table: SupportTickets<'query'>, now: Date, limit: number): Promise<Ticket[]> {
  const page = { limit, after: null, until: now.toISOString() };
  const { found } = await readPage(ticketsIn(table), { part: 'solved-until', ...page });
  return found.map(ticketOf);
}

/** A page of a patient's, newest first. */
export async function readTicketsOf(table: SupportTickets<'query'>, userId: string, page: Page): Promise<Rows<Ticket>> {
  const of = { part: userPart(userId), prefix: requestPrefix, isNewestFirst: true };
  const { found, next } = await readPage(ticketsIn(table), { ...of, ...page });
  return { found: found.map(ticketOf), next };
}

/** A page of a patient's, newest first, for who shows them among other things. @param page `after`: the `ticketId` that the page before ended with */
export async function readNewestTickets(
  table: SupportTickets<'query'>,
  userId: string,
  { limit, after }: Page,
): Promise<Rows<Ticket>> {
  const from = after === null ? null : `${requestPrefix}${after}`;
  const { found, next } = await readTicketsOf(table, userId, { limit, after: from });
  return { found, next: next === null ? null : next.slice(requestPrefix.length) };
}

/** A page of a ticket's comments, oldest first: all of them, or those that the patient sees. */
export async function readComments(
  table: SupportTickets<'query'>,
  { ticketId, of }: { readonly ticketId: string; readonly of: 'all' | 'shown' },
  page: Page,
): Promise<Rows<Comment>> {
  const comments: Read<CommentRow> = (asked, limit) => queryPage<CommentRow>(table, asked, limit);
  return readPage(comments, { part: ticketPart(ticketId), prefix: `${of}#`, ...page });
}

/** Of one kind of rows. */
export type Read<Row> = (asked: Query, limit: number) => Promise<{ readonly rows: Row[]; readonly hasMore: boolean }>;

type TicketPageQuery = Page & {
  readonly part: string;
  /** Of the names: what they begin with, or an instant before or after which they do. */
  readonly prefix?: string;
  readonly until?: string;
  readonly from?: string;
  readonly isNewestFirst?: boolean;
};

export async function readPage<Row extends Key>(read: Read<Row>, asked: TicketPageQuery): Promise<Rows<Row>> {
  const { limit, after, isNewestFirst = false } = asked;
  const listed = {
    ...rangeOf(asked),
    ScanIndexForward: !isNewestFirst,
    ...(after !== null && { ExclusiveStartKey: { part: asked.part, name: after } }),
  };
  const { rows, hasMore } = await read(listed, limit);
  return { found: rows, next: hasMore ? (rows.at(-1)?.name ?? null) : null };
}

/** How many there are, a megabyte of them at most, which is a thousand. */
export async function countRows(table: Any<'query'>, asked: Pick<TicketPageQuery, 'part' | 'until'>): Promise<number> {
  const { Count = 0 } = await query(table, { ...rangeOf(asked), Select: 'COUNT' });
  return Count;
}

function rangeOf({ part, prefix, until, from }: Pick<TicketPageQuery, 'part' | 'prefix' | 'until' | 'from'>) {
  const ranges: readonly (readonly [more: string, value: string | undefined])[] = [
    [' AND begins_with(#name, :name)', prefix],
    [' AND #name < :name', until],
    [' AND #name > :name', from],
  ];
  const [more, value] = ranges.find(([, each]) => each !== undefined) ?? ['', undefined];
  return {
    KeyConditionExpression: `part = :part${more}`,
    ExpressionAttributeValues: { ':part': part, ...(value !== undefined && { ':name': value }) },
    ...(value !== undefined && { ExpressionAttributeNames: { '#name': 'name' } }),
  };
}
