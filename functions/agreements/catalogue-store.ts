import { type DynamoDBDocumentClient, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Agreement, AgreementWithVersions, Version } from './catalogue.ts';

/**
 * Table `Agreements`. A partition for each application holds its catalogue in one stretch, an agreement directly before
 * its versions: `agreement#<agreementId>`, then `agreement#<agreementId>#<versionId>`. The partition `*` holds the names,
 * which are unique over both applications: `agreement#<agreementId>` and `version#<versionId>`, each telling whose it is.
 */

export const namesPartition = '*';

export function agreementKey(agreementId: string): string {
  return `agreement#${agreementId}`;
}

export function versionKey(agreementId: string, versionId: string): string {
  return `${agreementKey(agreementId)}#${versionId}`;
}

export function versionNameKey(versionId: string): string {
  return `version#${versionId}`;
}

/** Whose a version is: the row of its name. */
export type VersionName = { agreementId: string; owner: string };

type Row = { catalogueKey: string } & (Agreement | (Version & { application: string }));

/** The whole catalogue of an application, in no order. */
export async function readCatalogue(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
): Promise<AgreementWithVersions[]> {
  return assembled(
    await readRows(client, {
      TableName: table,
      KeyConditionExpression: 'application = :application',
      ExpressionAttributeValues: { ':application': application },
    }),
  );
}

/** One agreement with its versions, as it is at this moment; null where the application has none of that id. */
export async function readAgreement(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
  agreementId: string,
): Promise<AgreementWithVersions | null> {
  const rows = await readRows(client, {
    TableName: table,
    // `#` sorts before every character of an id and `~` after, so that no other agreement lies in between.
    KeyConditionExpression: 'application = :application AND catalogueKey BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':application': application,
      ':first': agreementKey(agreementId),
      ':last': versionKey(agreementId, '~'),
    },
  });
  return assembled(rows)[0] ?? null;
}

/** All rows of a query, as they are at this moment; a page of DynamoDB's is a megabyte. */
async function readRows(client: DynamoDBDocumentClient, query: QueryCommandInput): Promise<Row[]> {
  const rows: Row[] = [];
  let next: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new QueryCommand({ ...query, ConsistentRead: true, ExclusiveStartKey: next }));
    rows.push(...((page.Items ?? []) as Row[]));
    next = page.LastEvaluatedKey;
  } while (next);
  return rows;
}

/** Whose version this is, in whichever application; null for an unknown one. */
export async function readVersionName(
  client: DynamoDBDocumentClient,
  table: string,
  versionId: string,
): Promise<VersionName | null> {
  const found = await client.send(
    new GetCommand({
      TableName: table,
      Key: { application: namesPartition, catalogueKey: versionNameKey(versionId) },
      ConsistentRead: true,
    }),
  );
  return (found.Item as VersionName | undefined) ?? null;
}

function assembled(rows: readonly Row[]): AgreementWithVersions[] {
  const catalogue = new Map<string, AgreementWithVersions>();
  for (const { catalogueKey: _key, ...row } of rows) {
    if ('versionId' in row) {
      const { application: _application, ...version } = row;
      catalogue.get(row.agreementId)?.versions.push(version);
    } else {
      catalogue.set(row.agreementId, { agreement: row, versions: [] });
    }
  }
  return [...catalogue.values()];
}

/** Real time that a function keeps a catalogue for; a published version is listed everywhere after it. */
export const catalogueMs = 5_000;
