import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import type { Agreement, AgreementWithVersions, Version } from '../rules/catalogue.ts';
import { agreementKey, namesPartition, revisionKey, versionKey, versionNameKey } from '../rules/catalogue-keys.ts';
import { type CatalogueRow, catalogueOf, rowsOfAgreement, rowsOfCatalogue } from '../rules/catalogue-rows.ts';

/** All reads of table `Agreements`. Every read is strongly consistent. */

/** How long (in real time) a function may keep a catalogue. After this time every function lists a published version. */
export const catalogueMs = 5_000;

/** The whole catalogue of an application, not sorted. */
export async function readCatalogue(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
): Promise<AgreementWithVersions[]> {
  return catalogueOf(await queryAll<CatalogueRow>(client, { TableName: table, ...rowsOfCatalogue(application) }));
}

/** One agreement with its versions; null if the application has no agreement with this id. */
export async function readAgreement(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
  agreementId: string,
): Promise<AgreementWithVersions | null> {
  const query = { TableName: table, ...rowsOfAgreement(application, agreementId) };
  return catalogueOf(await queryAll<CatalogueRow>(client, query))[0] ?? null;
}

/** Whether the application has an agreement with this id. Reads one item. */
export async function hasAgreement(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
  agreementId: string,
): Promise<boolean> {
  return (await readRow(client, table, application, agreementKey(agreementId))) !== null;
}

/** One version of an agreement; null if the agreement has no version with this id. */
export async function readVersion(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
  { agreementId, versionId }: { agreementId: string; versionId: string },
): Promise<Version | null> {
  return readRow<Version>(client, table, application, versionKey(agreementId, versionId));
}

/** Which agreement a version belongs to, and which application owns both. */
export type VersionName = { agreementId: string; owner: string };

/** In any application; null for an unknown version. */
export async function readVersionName(
  client: DynamoDBDocumentClient,
  table: string,
  versionId: string,
): Promise<VersionName | null> {
  return readRow<VersionName>(client, table, namesPartition, versionNameKey(versionId));
}

/** Which application owns an agreement; null for an unknown one. */
export async function readAgreementName(
  client: DynamoDBDocumentClient,
  table: string,
  agreementId: string,
): Promise<{ owner: string } | null> {
  return readRow<{ owner: string }>(client, table, namesPartition, agreementKey(agreementId));
}

/** An agreement of either application; null for an unknown one. */
export async function findAgreement(
  client: DynamoDBDocumentClient,
  table: string,
  agreementId: string,
): Promise<AgreementWithVersions | null> {
  const name = await readAgreementName(client, table, agreementId);
  return name && readAgreement(client, table, name.owner, agreementId);
}

export type FoundVersion = { agreement: Agreement; versions: Version[]; version: Version };

/** A version of either application, with all versions of its agreement; null for an unknown one. */
export async function findVersion(
  client: DynamoDBDocumentClient,
  table: string,
  versionId: string,
): Promise<FoundVersion | null> {
  const name = await readVersionName(client, table, versionId);
  return name && findVersionOf(client, table, { ...name, versionId });
}

/** The same for a version whose agreement and application are known; these never change. */
export async function findVersionOf(
  client: DynamoDBDocumentClient,
  table: string,
  { owner, agreementId, versionId }: VersionName & { versionId: string },
): Promise<FoundVersion | null> {
  const found = await readAgreement(client, table, owner, agreementId);
  const version = found?.versions.find((each) => each.versionId === versionId);
  return found && version ? { ...found, version } : null;
}

/** How often a catalogue was changed, and the last change. */
export type Revision = { revision: number; changeId: string };

/** Null before the first change. */
export async function readRevision(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
): Promise<Revision | null> {
  return readRow<Revision>(client, table, namesPartition, revisionKey(application));
}

async function readRow<Row>(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
  catalogueKey: string,
): Promise<Row | null> {
  const Key = { application, catalogueKey };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as Row | undefined) ?? null;
}
