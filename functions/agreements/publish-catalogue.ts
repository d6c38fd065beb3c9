import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { maxLimit } from '../../lib/contract/collection.ts';
import type { Agreement, AgreementWithVersions, Version } from './catalogue.ts';
import {
  agreementKey,
  namesPartition,
  readAgreement,
  readCatalogue,
  versionKey,
  versionNameKey,
} from './catalogue-store.ts';

/** Brings a catalogue into a table. What is published stays as it is, so that publishing twice adds nothing. */

/** A line for each thing done or found done. @throws an Error where the file contradicts what is published already */
export async function publishCatalogue(
  client: DynamoDBDocumentClient,
  table: string,
  catalogue: readonly AgreementWithVersions[],
): Promise<string[]> {
  const done: string[] = [];
  await assertOnePage(client, table, catalogue);
  for (const { agreement, versions } of catalogue) {
    const found = await readAgreement(client, table, agreement.application, agreement.agreementId);
    if (!found) await create(client, table, agreement);
    const isChanged = found !== null && (await update(client, table, agreement, found.agreement));
    done.push(`${agreement.agreementId}: ${!found ? 'created' : isChanged ? 'updated' : 'is there'}`);
    for (const version of versions) {
      const published = found?.versions.find(({ versionId }) => versionId === version.versionId);
      if (!published) await publish(client, table, agreement.application, version);
      else assertUnchanged(version, published);
      done.push(`${agreement.agreementId} ${version.versionId}: ${published ? 'is published' : 'published'}`);
    }
  }
  return done;
}

/** At most 100 agreements an application, stored and new: the list is one page then, and a user's states one Query. */
async function assertOnePage(
  client: DynamoDBDocumentClient,
  table: string,
  catalogue: readonly AgreementWithVersions[],
): Promise<void> {
  for (const [application, entries] of Map.groupBy(catalogue, ({ agreement }) => agreement.application)) {
    const stored = await readCatalogue(client, table, application);
    const ids = new Set([...stored, ...entries].map(({ agreement }) => agreement.agreementId));
    if (ids.size > maxLimit) throw new Error(`${application}: ${ids.size} agreements, and ${maxLimit} at most`);
  }
}

async function create(client: DynamoDBDocumentClient, table: string, agreement: Agreement): Promise<void> {
  const key = agreementKey(agreement.agreementId);
  await claim(client, table, { catalogueKey: key, owner: agreement.application }, { ...agreement, catalogueKey: key });
}

async function publish(client: DynamoDBDocumentClient, table: string, owner: string, version: Version): Promise<void> {
  const { agreementId, versionId } = version;
  await claim(
    client,
    table,
    { catalogueKey: versionNameKey(versionId), owner, agreementId },
    { ...version, application: owner, catalogueKey: versionKey(agreementId, versionId) },
  );
}

/** Takes a name, unique over both applications, and writes what bears it; both or neither. */
async function claim(
  client: DynamoDBDocumentClient,
  table: string,
  name: Record<string, unknown>,
  row: Record<string, unknown>,
): Promise<void> {
  const free = 'attribute_not_exists(application)';
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: table, Item: { application: namesPartition, ...name }, ConditionExpression: free } },
        { Put: { TableName: table, Item: row, ConditionExpression: free } },
      ],
    }),
  );
}

/** Title and position may change. Consents were given under the agreement's nature: another one is another agreement. */
async function update(
  client: DynamoDBDocumentClient,
  table: string,
  wanted: Agreement,
  found: Agreement,
): Promise<boolean> {
  if (wanted.isRequired !== found.isRequired) {
    throw new Error(`${wanted.agreementId}: isRequired cannot change; publish it under a new agreementId`);
  }
  if (wanted.title === found.title && wanted.position === found.position) return false;
  await client.send(
    new PutCommand({ TableName: table, Item: { ...wanted, catalogueKey: agreementKey(wanted.agreementId) } }),
  );
  return true;
}

function assertUnchanged(wanted: Version, published: Version): void {
  // A file that names no time means the time of its first publication.
  const isTimeStated = wanted.effectiveFrom !== wanted.publishedAt;
  if (isTimeStated && wanted.effectiveFrom !== published.effectiveFrom) {
    throw new Error(`${wanted.versionId}: is published with effectiveFrom ${published.effectiveFrom}`);
  }
  const said = ({ label, changeType, defaultLocale, locales }: Version) => ({
    label,
    changeType,
    defaultLocale,
    locales,
  });
  if (!isDeepStrictEqual(said(wanted), said(published))) {
    throw new Error(`${wanted.versionId}: a published version cannot change; publish a new version`);
  }
}
