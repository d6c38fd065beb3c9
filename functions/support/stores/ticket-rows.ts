import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Items } from '../../../lib/runtime/commit.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import {
  type Comment,
  closesAfter,
  dueAt,
  isUnsolved,
  mostUnsolved,
  type State,
  type Ticket,
} from '../rules/ticket.ts';

/** Table `SupportTickets`; tables.ts says which rows there are. Every read is strongly consistent. */

export type Key = { readonly part: string; readonly name: string };

export const ticketPart = (ticketId: string) => `ticket#${ticketId}`;
export const userPart = (userId: string) => `user#${userId}`;
const ticketKey = (ticketId: string): Key => ({ part: ticketPart(ticketId), name: 'ticket' });
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
export function ticketItems(table: string, before: Ticket | null, after: Ticket): Items {
  const keys = listKeys(after);
  const isThere = (key: Key) => keys.some(({ part, name }) => part === key.part && name === key.name);
  const left = before ? listKeys(before).filter((key) => !isThere(key)) : [];
  return [
    { Put: { TableName: table, Item: { ...ticketKey(after.ticketId), ...after }, ...(before && stillIs(before)) } },
    ...keys.map((key) => ({ Put: { TableName: table, Item: { ...key, ...after } } })),
    ...left.map((Key) => ({ Delete: { TableName: table, Key } })),
    ...countItems(table, before, after),
  ];
}

/** The count moves with the ticket. One that is opened is refused where the count is full: of many at once none is too many. */
function countItems(table: string, before: Ticket | null, after: Ticket): Items {
  const by = Number(isUnsolved(after)) - Number(before !== null && isUnsolved(before));
  if (by === 0) return [];
  const update = {
    TableName: table,
    Key: countKey(after.userId),
    UpdateExpression: 'ADD unsolved :by',
    ExpressionAttributeValues: { ':by': by, ...(before === null && { ':most': mostUnsolved }) },
    ...(before === null && { ConditionExpression: 'attribute_not_exists(unsolved) OR unsolved < :most' }),
  };
  return [{ Update: update }];
}

/** Whether a patient has as many unsolved tickets as there can be. */
export async function hasMostUnsolved(client: DynamoDBDocumentClient, table: string, userId: string): Promise<boolean> {
  const found = await client.send(new GetCommand({ TableName: table, Key: countKey(userId), ConsistentRead: true }));
  return Number(found.Item?.unsolved ?? 0) >= mostUnsolved;
}

/** The condition that a ticket is the one that was read, so that none comes back that an erasure has taken. */
export function stillIs({ revision }: Ticket) {
  return { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': revision } };
}

/** What staff reads, and what the patient does: two rows, so that no reading of the patient's meets an internal note. */
export function commentItems(table: string, comment: Comment): Items {
  const part = ticketPart(comment.ticketId);
  const prefixes = comment.visibility === 'patient' ? ['all', 'shown'] : ['all'];
  return prefixes.map((prefix) => ({
    Put: { TableName: table, Item: { part, name: `${prefix}#${comment.commentId}`, ...comment } },
  }));
}

export async function readTicket(
  client: DynamoDBDocumentClient,
  table: string,
  ticketId: string,
): Promise<Ticket | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: ticketKey(ticketId), ConsistentRead: true }));
  return found.Item ? ticketOf(found.Item as Ticket & Partial<Key>) : null;
}

export async function readComment(
  client: DynamoDBDocumentClient,
  table: string,
  { ticketId, commentId }: { readonly ticketId: string; readonly commentId: string },
): Promise<Comment | null> {
  const Key = { part: ticketPart(ticketId), name: `all#${commentId}` };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as Comment | undefined) ?? null;
}

/** Without the key of the row from which it was read. */
function ticketOf({ part: _part, name: _name, ...ticket }: Ticket & Partial<Key>): Ticket {
  return ticket;
}

type Page = { readonly limit: number; readonly after: string | null };
type Rows<Row> = { found: Row[]; next: string | null };

/** A page of a list, oldest first. @param page `after`: the `name` that the page before ended with */
export async function readTickets(
  client: DynamoDBDocumentClient,
  table: string,
  list: List,
  page: Page,
): Promise<Rows<Ticket>> {
  const { found, next } = await readPage<Ticket>(client, { table, part: partOf(list), ...page });
  return { found: found.map(ticketOf), next };
}

/** A page of what is overdue, longest first. */
export async function readOverdue(
  client: DynamoDBDocumentClient,
  table: string,
  now: Date,
  page: Page,
): Promise<Rows<Ticket>> {
  const { found, next } = await readPage<Ticket>(client, { table, part: 'due', until: now.toISOString(), ...page });
  return { found: found.map(ticketOf), next };
}

/** Of those that were solved so long ago that they are closed, some. */
export async function readLapsed(
  client: DynamoDBDocumentClient,
  table: string,
  now: Date,
  limit: number,
): Promise<Ticket[]> {
  const page = { limit, after: null, until: now.toISOString() };
  const { found } = await readPage<Ticket>(client, { table, part: 'solved-until', ...page });
  return found.map(ticketOf);
}

/** A page of a patient's, newest first. */
export async function readTicketsOf(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  page: Page,
): Promise<Rows<Ticket>> {
  const of = { table, part: userPart(userId), prefix: requestPrefix, isNewestFirst: true };
  const { found, next } = await readPage<Ticket>(client, { ...of, ...page });
  return { found: found.map(ticketOf), next };
}

/** A page of a patient's, newest first, for who shows them among other things. @param page `after`: the `ticketId` that the page before ended with */
export async function readNewestTickets(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: Page,
): Promise<Rows<Ticket>> {
  const from = after === null ? null : `${requestPrefix}${after}`;
  const { found, next } = await readTicketsOf(client, table, userId, { limit, after: from });
  return { found, next: next === null ? null : next.slice(requestPrefix.length) };
}

/** A page of a ticket's comments, oldest first: all of them, or those that the patient sees. */
export async function readComments(
  client: DynamoDBDocumentClient,
  table: string,
  { ticketId, of }: { readonly ticketId: string; readonly of: 'all' | 'shown' },
  page: Page,
): Promise<Rows<Comment>> {
  return readPage<Comment>(client, { table, part: ticketPart(ticketId), prefix: `${of}#`, ...page });
}

type TicketPageQuery = Page & {
  readonly table: string;
  readonly part: string;
  /** Of the names: what they begin with, or an instant before or after which they do. */
  readonly prefix?: string;
  readonly until?: string;
  readonly from?: string;
  readonly isNewestFirst?: boolean;
};

export async function readPage<Row>(client: DynamoDBDocumentClient, asked: TicketPageQuery): Promise<Rows<Row>> {
  const { limit, after, isNewestFirst = false } = asked;
  const query = {
    ...queryOf(asked),
    ScanIndexForward: !isNewestFirst,
    ...(after !== null && { ExclusiveStartKey: { part: asked.part, name: after } }),
  };
  const { rows, hasMore } = await queryPage<Row & Key>(client, query, limit);
  return { found: rows, next: hasMore ? (rows.at(-1)?.name ?? null) : null };
}

/** How many there are, a megabyte of them at most, which is a thousand. */
export async function countRows(
  client: DynamoDBDocumentClient,
  asked: Pick<TicketPageQuery, 'table' | 'part' | 'until'>,
): Promise<number> {
  const query = new QueryCommand({ ...queryOf(asked), ConsistentRead: true, Select: 'COUNT' });
  return (await client.send(query)).Count ?? 0;
}

function queryOf({
  table,
  part,
  prefix,
  until,
  from,
}: Pick<TicketPageQuery, 'table' | 'part' | 'prefix' | 'until' | 'from'>) {
  const ranges: readonly (readonly [more: string, value: string | undefined])[] = [
    [' AND begins_with(#name, :name)', prefix],
    [' AND #name < :name', until],
    [' AND #name > :name', from],
  ];
  const [more, value] = ranges.find(([, each]) => each !== undefined) ?? ['', undefined];
  return {
    TableName: table,
    KeyConditionExpression: `part = :part${more}`,
    ExpressionAttributeValues: { ':part': part, ...(value !== undefined && { ':name': value }) },
    ...(value !== undefined && { ExpressionAttributeNames: { '#name': 'name' } }),
  };
}
