import { randomUUID } from 'node:crypto';
import { revisionOf } from '../../../lib/contract/revision.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifRevision, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { put } from '../../../lib/runtime/rows.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditEvent, type AuditOccasion, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import type { Agreement, Version } from '../rules/catalogue.ts';
import { agreementKey, namesPartition, revisionKey, versionNameKey } from '../rules/catalogue-keys.ts';
import { agreementRow, type CatalogueRow, type Revision, versionRow } from '../rules/catalogue-rows.ts';
import type { Agreements } from '../tables.ts';
import { readRevision } from './catalogue-reader.ts';

/**
 * Changes of an application's catalogue happen one after another. The transaction of each change increases the catalogue's revision.
 * If another change came first, the transaction fails and the decision is made again with the new rows.
 */

export type ChangeDependencies = {
  readonly tables: {
    readonly Agreements: Agreements<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
};

export type CatalogueChange = {
  readonly items: (table: Agreements<'put'>) => Items;
  readonly audit: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>;
};

/** If `change` is missing, nothing is written. */
export type Decided = { readonly result: unknown; readonly change?: CatalogueChange };

/**
 * @param decide reads the rows that it needs, and returns the result and the change
 * @param known the revision if it was already read, null if the catalogue has none; if undefined, it is read here
 * @throws a Failure `UNAVAILABLE` if all attempts meet contention; the SDK's error if the outcome is unknown
 */
export async function changeCatalogue<D extends Decided>(
  deps: ChangeDependencies,
  owner: string,
  occasion: AuditOccasion,
  decide: () => Promise<D>,
  known?: Revision | null,
): Promise<D['result']> {
  return retryOnContention(async (attempt) => {
    // The revision is read before the other rows. So if the catalogue changes in between, the condition fails.
    const isKnown = attempt === 0 && known !== undefined;
    const revision = isKnown ? known : await readRevision(deps.tables.Agreements, owner);
    const { result, change } = await decide();
    return !change || (await isWritten(deps, owner, occasion, change, revision)) ? result : contended;
  });
}

async function isWritten(
  { tables }: ChangeDependencies,
  owner: string,
  occasion: AuditOccasion,
  { items, audit }: CatalogueChange,
  before: Revision | null,
): Promise<boolean> {
  const changeId = randomUUID();
  const event = auditEvent({ ...occasion, ...audit, random: randomUUID() });
  const moved = {
    application: namesPartition,
    catalogueKey: revisionKey(owner),
    revision: revisionOf(before?.revision) + 1,
    changeId,
  };
  const all = [
    put(tables.Agreements, moved, ifRevision('application', before?.revision)),
    ...items(tables.Agreements),
    auditPut(tables.AuditEvents, event),
  ];
  const isFirst = await commit(all, changeId).catch((error: unknown) => {
    if (isUnavailable(error)) return { error };
    throw error;
  });
  if (isFirst === true) return true;
  // The answer may be lost although the write succeeded.
  const current = await readRevision(tables.Agreements, owner);
  if (current?.changeId === changeId) return true;
  if (isFirst) throw isFirst.error;
  return false;
}

const free = ifAbsent('application');

/** Writes a new agreement and its name, which is unique over both applications. */
export function putAgreement(agreement: Agreement): CatalogueChange['items'] {
  const key = agreementKey(agreement.agreementId);
  return claimed({ catalogueKey: key, owner: agreement.application }, agreementRow(agreement));
}

/** Writes a new version and its name. */
export function putVersion(owner: string, version: Version): CatalogueChange['items'] {
  const { agreementId, versionId } = version;
  return claimed({ catalogueKey: versionNameKey(versionId), owner, agreementId }, versionRow(owner, version));
}

function claimed(
  name: { catalogueKey: string; owner: string; agreementId?: string },
  row: CatalogueRow,
): CatalogueChange['items'] {
  return (table) => [put(table, { application: namesPartition, ...name }, free), put(table, row, free)];
}

/** Changes the title or the position of an existing agreement. */
export function replaceAgreement(agreement: Agreement): CatalogueChange['items'] {
  return (table) => [put(table, agreementRow(agreement))];
}

/** Changes the state of a version, on the condition that it is still in the state before. This holds even against a writer that does not increase the revision. */
export function replaceVersion(owner: string, version: Version, before: Version): CatalogueChange['items'] {
  const { publishedAt, withdrawnAt } = before;
  const condition = ifUnchanged({ publishedAt, withdrawnAt });
  return (table) => [put(table, versionRow(owner, version), condition)];
}
