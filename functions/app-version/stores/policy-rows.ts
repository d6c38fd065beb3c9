import * as z from 'zod/mini';
import type { Application } from '../../../lib/contract/register.ts';
import { get } from '../../../lib/runtime/rows.ts';
import { type Replacement, replaceVersioned, type Versioned } from '../../audit/exports.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import type { Platform, StoredPolicy } from '../rules/policy.ts';
import { AppVersionPolicy } from '../schemas.ts';
import type { AppVersionPolicies } from '../tables.ts';

/** Table `AppVersionPolicies`: one row for each application and platform. */

export type PolicyKey = { application: Application; platform: Platform };

/** How long, in real time, a function keeps a policy for the check. After that every answer follows a change. */
export const policyMs = 5_000;

/**
 * @param isConsistent false costs half, and may miss what was written within the last second
 * @throws also where the row is not a policy of today's form
 */
export async function readPolicy(
  table: AppVersionPolicies<'get'>,
  key: PolicyKey,
  isConsistent = true,
): Promise<StoredPolicy | null> {
  const row = await readRow(table, key, isConsistent);
  return row ? z.parse(AppVersionPolicy, row) : null;
}

/** A row as it is, also one that is no policy of today's form, so that it can be replaced. */
export async function readRow(
  table: AppVersionPolicies<'get'>,
  { application, platform }: PolicyKey,
  isConsistent = true,
): Promise<Versioned | null> {
  return get(table, { application, platform }, { ConsistentRead: isConsistent });
}

type PolicyTables = {
  readonly AppVersionPolicies: AppVersionPolicies<'get' | 'put'>;
  readonly AuditEvents: AuditEvents<'put'>;
};
type Write = { readonly policy: StoredPolicy; readonly changeId: string; readonly audit: Replacement['audit'] };

/** @returns false where another writer was there first */
export async function writePolicy(
  { AppVersionPolicies: rows, AuditEvents }: PolicyTables,
  { policy: { application, platform, ...policy }, changeId, audit }: Write,
): Promise<boolean> {
  const replacement = { key: { application, platform }, row: { ...policy, changeId }, audit };
  return replaceVersioned({ rows, AuditEvents }, replacement);
}
