import type { Agreement, AgreementWithVersions, Version } from './catalogue.ts';
import { agreementKey, versionKey } from './catalogue-keys.ts';

/** The rows of a catalogue in table `Agreements`: how to query them, and how to read them. */

export type CatalogueRow = { catalogueKey: string } & (Agreement | (Version & { application: string }));

/** The whole catalogue of an application. */
export function rowsOfCatalogue(application: string) {
  return {
    KeyConditionExpression: 'application = :application',
    ExpressionAttributeValues: { ':application': application },
  };
}

/** One agreement with its versions. */
export function rowsOfAgreement(application: string, agreementId: string) {
  return {
    // `#` sorts before every character of an id, and `~` sorts after them. So no other agreement is in between.
    KeyConditionExpression: 'application = :application AND catalogueKey BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':application': application,
      ':first': agreementKey(agreementId),
      ':last': versionKey(agreementId, '~'),
    },
  };
}

/** @param rows sorted: the row of an agreement comes before the rows of its versions */
export function catalogueOf(rows: readonly CatalogueRow[]): AgreementWithVersions[] {
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

export function agreementRow(agreement: Agreement): CatalogueRow {
  return { ...agreement, catalogueKey: agreementKey(agreement.agreementId) };
}

export function versionRow(application: string, version: Version): CatalogueRow {
  return { ...version, application, catalogueKey: versionKey(version.agreementId, version.versionId) };
}
