import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import type { AgreementWithVersions } from '../rules/catalogue.ts';
import { namesPartition, versionNameKey } from './catalogue-keys.ts';
import { type CatalogueRow, catalogueOf, rowsOfAgreement, rowsOfCatalogue } from './catalogue-rows.ts';

/** Whose a version is: the row of its name. */
export type VersionName = { agreementId: string; owner: string };

/** The whole catalogue of an application, in no order. */
export async function readCatalogue(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
): Promise<AgreementWithVersions[]> {
  return catalogueOf(await queryAll<CatalogueRow>(client, { TableName: table, ...rowsOfCatalogue(application) }));
}

/** One agreement with its versions, as it is at this moment; null where the application has none of that id. */
export async function readAgreement(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
  agreementId: string,
): Promise<AgreementWithVersions | null> {
  const query = { TableName: table, ...rowsOfAgreement(application, agreementId) };
  return catalogueOf(await queryAll<CatalogueRow>(client, query))[0] ?? null;
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

/** Real time that a function keeps a catalogue for; a published version is listed everywhere after it. */
export const catalogueMs = 5_000;
