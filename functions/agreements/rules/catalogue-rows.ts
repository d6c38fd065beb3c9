import type { Agreement, AgreementWithVersions, Version } from './catalogue.ts';
import { agreementKey, versionKey } from './catalogue-keys.ts';

/** The rows of a catalogue in table `Agreements`, and how to read them. */

export type CatalogueRow = { catalogueKey: string } & (Agreement | (Version & { application: string }));

/** Which application owns an agreement. */
export type AgreementName = { readonly owner: string };
/** Which agreement a version belongs to, and which application owns both. */
export type VersionName = { readonly agreementId: string; readonly owner: string };
/** How often a catalogue was changed, and the last change. */
export type Revision = { readonly revision: number; readonly changeId: string };

type Key = { readonly application: string; readonly catalogueKey: string };
export type AgreementsRow = CatalogueRow | (Key & (AgreementName | VersionName | Revision));

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
