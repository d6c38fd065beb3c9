import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import type { Agreement, AgreementWithVersions, Version } from '../rules/catalogue.ts';
import { agreementKey, namesPartition, revisionKey, versionNameKey } from './catalogue-keys.ts';
import { type CatalogueRow, catalogueOf, rowsOfAgreement, rowsOfCatalogue } from './catalogue-rows.ts';

/** Table `Agreements`, as its administrators read it. Every read is strongly consistent. */

type Owned = { owner: string; agreementId: string };

/** How often a catalogue was changed, and the last change. */
export type Revision = { revision: number; changeId: string };

export async function readCatalogue(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
): Promise<AgreementWithVersions[]> {
  return catalogueOf(await queryAll<CatalogueRow>(client, { TableName: table, ...rowsOfCatalogue(application) }));
}

/** An agreement of whichever application; null for an unknown one. */
export async function readAgreement(
  client: DynamoDBDocumentClient,
  table: string,
  agreementId: string,
): Promise<AgreementWithVersions | null> {
  const name = await readNamed<{ owner: string }>(client, table, agreementKey(agreementId));
  return name && readOwned(client, table, { ...name, agreementId });
}

async function readOwned(client: DynamoDBDocumentClient, table: string, { owner, agreementId }: Owned) {
  const query = { TableName: table, ...rowsOfAgreement(owner, agreementId) };
  return catalogueOf(await queryAll<CatalogueRow>(client, query))[0] ?? null;
}

export type FoundVersion = { agreement: Agreement; versions: Version[]; version: Version };

/** A version of whichever application, among those of its agreement; null for an unknown one. */
export async function readVersion(
  client: DynamoDBDocumentClient,
  table: string,
  versionId: string,
): Promise<FoundVersion | null> {
  const name = await readNamed<Owned>(client, table, versionNameKey(versionId));
  const found = name && (await readOwned(client, table, name));
  const version = found?.versions.find((each) => each.versionId === versionId);
  return found && version ? { ...found, version } : null;
}

/** Whether a version has the id already, in whichever application. */
export async function isVersionTaken(
  client: DynamoDBDocumentClient,
  table: string,
  versionId: string,
): Promise<boolean> {
  return (await readNamed(client, table, versionNameKey(versionId))) !== null;
}

/** Null before the first change. */
export async function readRevision(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
): Promise<Revision | null> {
  return readNamed<Revision>(client, table, revisionKey(application));
}

async function readNamed<Row>(client: DynamoDBDocumentClient, table: string, catalogueKey: string) {
  const Key = { application: namesPartition, catalogueKey };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as Row | undefined) ?? null;
}
