import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { get } from '../../../lib/runtime/rows.ts';
import type { Agreement, AgreementWithVersions, Version } from '../rules/catalogue.ts';
import { agreementKey, namesPartition, revisionKey, versionKey, versionNameKey } from '../rules/catalogue-keys.ts';
import {
  type AgreementName,
  type CatalogueRow,
  catalogueOf,
  type Revision,
  type VersionName,
} from '../rules/catalogue-rows.ts';
import type { Agreements } from '../tables.ts';

/** All reads of table `Agreements`. Every read is strongly consistent. */

/** How long (in real time) a function may keep a catalogue. After this time every function lists a published version. */
export const catalogueMs = 5_000;

/** The whole catalogue of an application, not sorted. */
export async function readCatalogue(table: Agreements<'query'>, application: string): Promise<AgreementWithVersions[]> {
  return catalogueOf(await queryAll<CatalogueRow>(table, inPartition({ application })));
}

/** One agreement with its versions; null if the application has no agreement with this id. */
export async function readAgreement(
  table: Agreements<'query'>,
  application: string,
  agreementId: string,
): Promise<AgreementWithVersions | null> {
  // `#` sorts before every character of an id, and `~` sorts after them. So no other agreement is in between.
  const range = between(agreementKey(agreementId), versionKey(agreementId, '~'));
  return (
    catalogueOf(await queryAll<CatalogueRow>(table, inPartition({ application }, { catalogueKey: range })))[0] ?? null
  );
}

/** The same without its versions: one row, however many others a catalogue is filled with. */
export async function readUnversioned(
  table: Agreements<'get'>,
  application: string,
  agreementId: string,
): Promise<Agreement | null> {
  return get<Agreement>(table, { application, catalogueKey: agreementKey(agreementId) });
}

/** Whether the application has an agreement with this id. Reads one item. */
export async function hasAgreement(...named: Parameters<typeof readUnversioned>): Promise<boolean> {
  return (await readUnversioned(...named)) !== null;
}

/** One version of an agreement; null if the agreement has no version with this id. */
export async function readVersion(
  table: Agreements<'get'>,
  application: string,
  { agreementId, versionId }: { agreementId: string; versionId: string },
): Promise<Version | null> {
  return get<Version>(table, { application, catalogueKey: versionKey(agreementId, versionId) });
}

/** In any application; null for an unknown version. */
export async function readVersionName(table: Agreements<'get'>, versionId: string): Promise<VersionName | null> {
  return get<VersionName>(table, { application: namesPartition, catalogueKey: versionNameKey(versionId) });
}

/** Which application owns an agreement; null for an unknown one. */
export async function readAgreementName(table: Agreements<'get'>, agreementId: string): Promise<AgreementName | null> {
  return get<AgreementName>(table, { application: namesPartition, catalogueKey: agreementKey(agreementId) });
}

/** An agreement of either application; null for an unknown one. */
export async function findAgreement(
  table: Agreements<'get' | 'query'>,
  agreementId: string,
): Promise<AgreementWithVersions | null> {
  const name = await readAgreementName(table, agreementId);
  return name && readAgreement(table, name.owner, agreementId);
}

export type FoundVersion = { agreement: Agreement; versions: Version[]; version: Version };

/** A version of either application, with all versions of its agreement; null for an unknown one. */
export async function findVersion(table: Agreements<'get' | 'query'>, versionId: string): Promise<FoundVersion | null> {
  const name = await readVersionName(table, versionId);
  return name && findVersionOf(table, { ...name, versionId });
}

/** The same for a version whose agreement and application are known; these never change. */
export async function findVersionOf(
  table: Agreements<'query'>,
  { owner, agreementId, versionId }: VersionName & { versionId: string },
): Promise<FoundVersion | null> {
  const found = await readAgreement(table, owner, agreementId);
  const version = found?.versions.find((each) => each.versionId === versionId);
  return found && version ? { ...found, version } : null;
}

/** Null before the first change. */
export async function readRevision(table: Agreements<'get'>, application: string): Promise<Revision | null> {
  return get<Revision>(table, { application: namesPartition, catalogueKey: revisionKey(application) });
}
