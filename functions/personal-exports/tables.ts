import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { ExportRow, Latest } from './rules/export.ts';

/** A person's exports by `exportId`, which increases with time; after them, under `~latest`, the last one that was asked for. */
export const PersonalExports = table<ExportRow | Latest>()('PersonalExports', {
  partitionKey: 'userId',
  sortKey: 'exportId',
  expires: true,
  // All but `made`, which only the function that makes an export writes, and believes.
  adjustable: [
    ...['latestId', 'application', 'requestedAt', 'expiresAt', 'status', 'finishedAt', 'progressAt', 'leaseEndsAt'],
    ...['revision', 'progress', 'sizeBytes'],
  ],
});
export type PersonalExports<A extends Action> = Handle<typeof PersonalExports, A>;
