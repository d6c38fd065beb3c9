import type { Items } from '../../../lib/runtime/commit.ts';
import { between, inPartition, startingWith } from '../../../lib/runtime/key-range.ts';
import { type RowHandle, stillIs } from '../../../lib/runtime/last-write-wins-rows.ts';
import { firstThatFit } from '../../../lib/runtime/page-size.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { get, put, query, queryOf, remove } from '../../../lib/runtime/rows.ts';
import type { Claim } from '../rules/due-bundles.ts';
import type { Completed, DraftRow, QuestionnaireResponses, ResponseRow } from '../tables.ts';

/** Table `QuestionnaireResponses`; tables.ts says which rows there are. Every read is strongly consistent. */

export function responseHandle(
  table: QuestionnaireResponses<'get' | 'put'>,
  userId: string,
  responseId: string,
): RowHandle<ResponseRow> {
  return { table, key: keyOf(userId, responseId) };
}

function keyOf(userId: string, responseId: string) {
  return { userId, part: ownPart(responseId) };
}

function ownPart(responseId: string): string {
  return `response#${responseId}`;
}

/** The result can also be a tombstone. */
export async function readResponse(
  table: QuestionnaireResponses<'get'>,
  { userId, responseId }: { userId: string; responseId: string },
): Promise<ResponseRow | null> {
  return get<ResponseRow>(table, keyOf(userId, responseId));
}

/**
 * For the transaction that completes a response.
 *
 * @param current the response from which the decision was made; null if there is none
 */
export function putCompleted(
  table: QuestionnaireResponses<'put'>,
  userId: string,
  row: Completed,
  current: ResponseRow | null,
): Items {
  const condition = stillIs(current, { key: keyOf(userId, row.responseId) });
  return completedRows(userId, row).map((each, index) => put(table, each, index === 0 ? condition : {}));
}

/** The rows of a completed response, its own first. It has two more keys, so that each list is one Query. Pure. */
export function completedRows(userId: string, row: Completed) {
  return partsOf(row).map((part) => ({ userId, ...row, part }));
}

/** The keys of a completed response: its own, and those in the two lists. */
export function partsOf(row: Pick<ResponseRow, 'responseId' | 'completedAt' | 'questionnaireId'>): string[] {
  return [ownPart(row.responseId), listedAs(row, undefined), listedAs(row, row.questionnaireId)];
}

/** The row of a draft in the list of drafts, for the transaction that writes the draft. It moves with the draft's time. */
export function putListedDraft(
  table: QuestionnaireResponses<'put' | 'remove'>,
  userId: string,
  row: DraftRow,
  current: ResponseRow | null,
): Items {
  const part = draftPart(row);
  const moved = current !== null && isOpen(current) && draftPart(current) !== part;
  return [put(table, { userId, ...row, part }), ...(moved ? dropListedDraft(table, userId, current) : [])];
}

/** For the transaction that completes or deletes a draft. */
export function dropListedDraft(table: QuestionnaireResponses<'remove'>, userId: string, current: ResponseRow): Items {
  return [remove(table, { userId, part: draftPart(current) })];
}

function draftPart({ recordedAt, responseId }: ResponseRow): string {
  return `draft#${recordedAt}#${responseId}`;
}

function isOpen({ status, isDeleted }: ResponseRow): boolean {
  return status === 'draft' && !isDeleted;
}

/** The key in the list of one questionnaire, or in that of all. */
export function listedAs(
  { completedAt, responseId }: Pick<ResponseRow, 'completedAt' | 'responseId'>,
  questionnaireId: string | undefined,
): string {
  const list = questionnaireId === undefined ? 'at' : `of#${questionnaireId}`;
  return `${list}#${completedAt}#${responseId}`;
}

type ResponsePageQuery = {
  readonly questionnaireId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

type Page = { readonly limit: number; readonly after: string | null };
type ResponsePage<Row> = { readonly found: Row[]; readonly next: string | null };

/** A page of the completed responses, newest first: one Query, however many there are. */
export async function readCompleted(
  table: QuestionnaireResponses<'query'>,
  userId: string,
  { questionnaireId, ...range }: ResponsePageQuery,
  page: Page,
): Promise<ResponsePage<Completed>> {
  const prefix = questionnaireId === undefined ? 'at#' : `of#${questionnaireId}#`;
  return readListed<Completed>(table, { userId, prefix, ...range }, page);
}

/** A page of the drafts, newest first: one Query. With a questionnaire, a page can be shorter than the limit. */
export async function readDrafts(
  table: QuestionnaireResponses<'query'>,
  userId: string,
  { questionnaireId, ...range }: ResponsePageQuery,
  page: Page,
): Promise<ResponsePage<DraftRow>> {
  return readListed<DraftRow>(table, { userId, prefix: 'draft#', only: questionnaireId, ...range }, page);
}

type Listed = Omit<ResponsePageQuery, 'questionnaireId'> & {
  readonly userId: string;
  readonly prefix: string;
  /** The questionnaire to which the page is restricted after it was read. */
  readonly only?: string | undefined;
};

async function readListed<Row extends ResponseRow>(
  table: QuestionnaireResponses<'query'>,
  { userId, prefix, only, from = '', to = '~' }: Listed,
  { limit, after }: Page,
): Promise<ResponsePage<Row>> {
  const [first, last] = [`${prefix}${from}`, `${prefix}${to}`];
  // DynamoDB refuses an empty range, and a start outside of the range. The cursor of another query can have such a
  // start.
  if (first > last || (after !== null && (after <= first || after > last))) return { found: [], next: null };
  const { Items = [], LastEvaluatedKey } = await queryOf(table, {
    ...inPartition({ userId }, { part: between(first, last) }, after),
    ScanIndexForward: false,
    Limit: limit + 1,
  });
  const rows = Items as (Row & { readonly part: string })[];
  const read = firstThatFit(rows, limit);
  const hasMore = rows.length > read.length || LastEvaluatedKey !== undefined;
  const found = only === undefined ? read : read.filter(({ questionnaireId }) => questionnaireId === only);
  return { found, next: hasMore ? (read.at(-1)?.part ?? null) : null };
}

/** Whether a user has ever completed a questionnaire. DynamoDB counts one row and sends no content. */
export async function hasCompleted(
  table: QuestionnaireResponses<'query'>,
  { userId, questionnaireId }: { userId: string; questionnaireId: string },
): Promise<boolean> {
  const { Count = 0 } = await query(table, {
    ...inPartition({ userId }, { part: startingWith(`of#${questionnaireId}#`) }),
    Select: 'COUNT',
    Limit: 1,
  });
  return Count > 0;
}

export function claimKey(userId: string, occurrenceId: string, questionnaireId: string) {
  return { userId, part: `occurrence#${occurrenceId}#${questionnaireId}` };
}

/** The responses of a user's occurrences, by occurrence and questionnaire: one Query. */
export async function readClaims(table: QuestionnaireResponses<'query'>, userId: string): Promise<Map<string, Claim>> {
  const claims = new Map<string, Claim>();
  const rows = queryEach<Claim & { readonly part: string }>(
    table,
    inPartition({ userId }, { part: startingWith('occurrence#') }),
  );
  for await (const { part, ...claim } of rows) claims.set(part, claim);
  return claims;
}

export function claimOf(
  claims: ReadonlyMap<string, Claim>,
  occurrenceId: string,
  questionnaireId: string,
): Claim | undefined {
  return claims.get(claimKey('', occurrenceId, questionnaireId).part);
}
