import { randomUUID } from 'node:crypto';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import type { Any } from '../../../lib/runtime/table-handle.ts';
import { auditEvent } from '../rules/audit-event.ts';
import type { AuditEvents } from '../tables.ts';
import { auditPut } from './audited.ts';

/** A row that is replaced as a whole, one change after the other (`rules/revision.ts`). */
export type Versioned = {
  /** Counts the changes, from 1. */
  readonly revision: number;
  /** New for each change: tells a lost answer to this write from another writer's change. */
  readonly changeId: string;
};

export type Replacement = {
  readonly key: Readonly<Record<string, string>>;
  /** Without its key. */
  readonly row: Versioned & Readonly<Record<string, unknown>>;
  readonly audit: Omit<Parameters<typeof auditEvent>[0], 'random'>;
  /** Called in each attempt, before the write: it throws if the change is refused. The items it returns are written in the same transaction. */
  readonly beside?: () => Promise<Items>;
};

/**
 * Writes a row and its audit event, both or neither, on the condition that the row's predecessor is still the current
 * one. The route declares `append` on both tables and `read` on the row's.
 *
 * @returns false where another writer was there first
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function replaceVersioned(
  tables: { readonly rows: Any<'get' | 'put'>; readonly AuditEvents: AuditEvents<'put'> },
  replacement: Replacement,
): Promise<boolean> {
  const { key, row } = replacement;
  // What was met may be a write that yet fails.
  return retryOnContention(async () => {
    if (await isWritten(tables, replacement)) return true;
    const current = await get(tables.rows, key);
    if (current?.changeId === row.changeId) return true;
    return (current?.revision ?? 0) === row.revision - 1 ? contended : false;
  });
}

async function isWritten(
  tables: { readonly rows: Any<'put'>; readonly AuditEvents: AuditEvents<'put'> },
  { key, row, audit, beside }: Replacement,
): Promise<boolean> {
  const event = auditEvent({ ...audit, random: randomUUID() });
  const more = (await beside?.()) ?? [];
  const [name = ''] = Object.keys(key);
  const written = put(tables.rows, { ...key, ...row }, ifRevision(name, row.revision - 1));
  return commit([written, auditPut(tables.AuditEvents, event), ...more]);
}
