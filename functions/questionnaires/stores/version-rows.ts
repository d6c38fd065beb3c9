import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import { keep } from '../../../lib/runtime/keep.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules.ts';
import { questionnairePublished } from '../audit-actions.ts';
import type { Definition } from '../rules/definition.ts';

/** Table `Questionnaires`: the versions, each written once and never changed, and which one is current. */

export type Published = Definition & { readonly publishedAt: string };

/** A questionnaire in the list. */
export type Head = Pick<Published, 'questionnaireId' | 'version' | 'title' | 'publishedAt'>;
type HeadRow = Head & { readonly revision: number };

const heads = 'questionnaires';
const versionsOf = (questionnaireId: string) => `questionnaire#${questionnaireId}`;

/** The number of cached versions, of some 20 KB each. */
const kept = keep<Published>(100);

/** @param version the current version by default */
export async function readVersion(
  client: DynamoDBDocumentClient,
  table: string,
  questionnaireId: string,
  version?: string,
): Promise<Published | null> {
  const name = version ?? (await readHead(client, table, questionnaireId))?.version;
  if (name === undefined) return null;
  return kept(client, `${table} ${questionnaireId} ${name}`, () => readStored(client, table, questionnaireId, name));
}

async function readStored(
  client: DynamoDBDocumentClient,
  table: string,
  questionnaireId: string,
  name: string,
): Promise<Published | null> {
  const row = await readRow<{ content: string }>(client, table, { part: versionsOf(questionnaireId), name });
  return row && (JSON.parse(row.content) as Published);
}

async function readHead(
  client: DynamoDBDocumentClient,
  table: string,
  questionnaireId: string,
): Promise<HeadRow | null> {
  return readRow<HeadRow>(client, table, { part: heads, name: questionnaireId });
}

async function readRow<Row>(
  client: DynamoDBDocumentClient,
  table: string,
  Key: { part: string; name: string },
): Promise<Row | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as Row | undefined) ?? null;
}

/** A page of the questionnaires, by id. */
export async function readHeads(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: Head[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'part = :part',
    ExpressionAttributeValues: { ':part': heads },
    ...(after !== null && { ExclusiveStartKey: { part: heads, name: after } }),
  };
  const { rows, hasMore } = await queryPage<Head>(client, query, limit);
  return { found: rows, next: hasMore ? (rows.at(-1)?.questionnaireId ?? null) : null };
}

/** The current version of each questionnaire, by id: one Query for each megabyte, which is hundreds of them. */
export async function currentVersions(client: DynamoDBDocumentClient, table: string): Promise<Map<string, string>> {
  const rows = await queryAll<Head>(client, {
    TableName: table,
    KeyConditionExpression: 'part = :part',
    ExpressionAttributeValues: { ':part': heads },
  });
  return new Map(rows.map(({ questionnaireId, version }) => [questionnaireId, version]));
}

export type Publication = {
  readonly definition: Definition;
  readonly now: Date;
  readonly occasion: Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & { readonly realNow: Date };
};

/**
 * Publishes a version with its audit event.
 *
 * @returns the version as it was first published; null if it is published with other content
 */
export async function publish(
  client: DynamoDBDocumentClient,
  tables: { readonly Questionnaires: string; readonly AuditEvents: string },
  { definition, now, occasion }: Publication,
): Promise<Published | null> {
  const { questionnaireId, version, title } = definition;
  const table = tables.Questionnaires;
  return retryOnContention(async () => {
    const known = await readStored(client, table, questionnaireId, version);
    if (known) return isSame(known, definition) ? known : null;
    const head = await readHead(client, table, questionnaireId);
    const published: Published = { ...definition, publishedAt: now.toISOString() };
    const row = { part: versionsOf(questionnaireId), name: version, content: JSON.stringify(published) };
    const { publishedAt } = published;
    const moved = { part: heads, name: questionnaireId, questionnaireId, version, title, publishedAt };
    const audit = auditEvent({
      ...occasion,
      action: questionnairePublished,
      subject: `questionnaire/${questionnaireId}/${version}`,
      before: head && { version: head.version },
      after: { version, title },
      random: randomUUID(),
    });
    try {
      await client.send(
        new TransactWriteCommand({
          ClientRequestToken: randomUUID(),
          TransactItems: [
            { Put: { TableName: table, Item: row, ...isNew } },
            { Put: { TableName: table, Item: { ...moved, revision: (head?.revision ?? 0) + 1 }, ...isStill(head) } },
            auditPut(tables.AuditEvents, audit),
          ],
        }),
      );
      return published;
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

function isSame({ publishedAt: _publishedAt, ...known }: Published, definition: Definition): boolean {
  // The stored form, without undefined fields.
  return isDeepStrictEqual(known, JSON.parse(JSON.stringify(definition)));
}
