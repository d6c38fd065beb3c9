import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import { keep } from '../../../lib/runtime/keep.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules.ts';
import { coursePublished } from '../audit-actions.ts';
import type { PublishedCourse } from '../rules/course.ts';

/** Table `Courses`: the versions, each put once and never changed, and which one is current. */

export type Head = { readonly courseId: string; readonly version: string };
type HeadRow = Head & { readonly revision: number };

const heads = 'courses';

export function headKey(courseId: string) {
  return { part: heads, name: courseId };
}

/** So many, of some 20 KB. */
const kept = keep<PublishedCourse>(50);

export async function readVersion(
  client: DynamoDBDocumentClient,
  table: string,
  { courseId, version }: Head,
): Promise<PublishedCourse | null> {
  return kept(client, `${table} ${courseId} ${version}`, () => readStored(client, table, { courseId, version }));
}

async function readStored(
  client: DynamoDBDocumentClient,
  table: string,
  { courseId, version }: Head,
): Promise<PublishedCourse | null> {
  const row = await readRow<{ content: string }>(client, table, { part: `course#${courseId}`, name: version });
  return row && (JSON.parse(row.content) as PublishedCourse);
}

/** The current version. */
export async function readCurrent(
  client: DynamoDBDocumentClient,
  table: string,
  courseId: string,
): Promise<PublishedCourse | null> {
  const head = await readRow<HeadRow>(client, table, headKey(courseId));
  return head && readVersion(client, table, head);
}

/** A page of the current versions, by id. */
export async function readCoursePage(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ courses: PublishedCourse[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'part = :part',
    ExpressionAttributeValues: { ':part': heads },
    ...(after !== null && { ExclusiveStartKey: headKey(after) }),
  };
  const { rows, hasMore } = await queryPage<HeadRow>(client, query, limit);
  const found = await mapWithConcurrency(rows, 8, (head) => readVersion(client, table, head));
  return {
    courses: found.filter((course) => course !== null),
    next: hasMore ? (rows.at(-1)?.courseId ?? null) : null,
  };
}

async function readRow<Row>(
  client: DynamoDBDocumentClient,
  table: string,
  Key: { part: string; name: string },
): Promise<Row | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as Row | undefined) ?? null;
}

/** Bytes: DynamoDB takes rows of 400 KB. */
export const longestContent = 300_000;

/** Of a version's row, as UTF-8. */
export function contentBytes(course: unknown): number {
  return Buffer.byteLength(JSON.stringify(course));
}

export type Publication = {
  readonly course: PublishedCourse;
  readonly occasion: Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & { readonly realNow: Date };
};

/**
 * Publishes a version with its audit event, which makes it the current one.
 *
 * @returns the version as it was published first; null where it is published with other content
 */
export async function putVersion(
  client: DynamoDBDocumentClient,
  tables: { readonly Courses: string; readonly AuditEvents: string },
  { course, occasion }: Publication,
): Promise<PublishedCourse | null> {
  const { courseId, version, title, publishedAt } = course;
  const table = tables.Courses;
  const content = JSON.stringify(course);
  return retryOnContention(async () => {
    const known = await readStored(client, table, course);
    if (known) return isSame(known, course) ? known : null;
    const head = await readRow<HeadRow>(client, table, headKey(courseId));
    const moved = { ...headKey(courseId), courseId, version, publishedAt, revision: (head?.revision ?? 0) + 1 };
    const audit = auditEvent({
      ...occasion,
      action: coursePublished,
      subject: `course/${courseId}/${version}`,
      before: head && { version: head.version },
      after: { version, title },
      random: randomUUID(),
    });
    try {
      await client.send(
        new TransactWriteCommand({
          ClientRequestToken: randomUUID(),
          TransactItems: [
            { Put: { TableName: table, Item: { part: `course#${courseId}`, name: version, content }, ...isNew } },
            { Put: { TableName: table, Item: moved, ...isStill(head) } },
            auditPut(tables.AuditEvents, audit),
          ],
        }),
      );
      return course;
    } catch (error) {
      if (isContention(error)) return contended;
      throw error;
    }
  });
}

const isNew = { ConditionExpression: 'attribute_not_exists(#name)', ExpressionAttributeNames: { '#name': 'name' } };

function isStill(head: HeadRow | null) {
  if (!head) return isNew;
  return { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': head.revision } };
}

/** What its author wrote: packages are made of it, and another release of what packs them makes other bytes. */
function isSame(one: PublishedCourse, other: PublishedCourse): boolean {
  return isDeepStrictEqual(authored(one), authored(other));
}

function authored(course: PublishedCourse): unknown {
  const { publishedAt: _publishedAt, modules, ...rest } = course;
  const plain = { ...rest, modules: modules.map(({ packages: _packages, ...module }) => module) };
  // As it is stored, and without where objects lie: their hashes say what they are.
  return JSON.parse(JSON.stringify(plain, (name, value) => (name === 'objectVersionId' ? undefined : value)));
}
