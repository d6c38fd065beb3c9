import { table } from '../../lib/contract/tables.ts';

/** A person's exports by `exportId`, which increases with time; after them, under `~latest`, the last one that was asked for. */
export const PersonalExports = table('PersonalExports', {
  partitionKey: 'userId',
  sortKey: 'exportId',
  expires: true,
  adjustable: ['latestId', 'application', 'requestedAt', 'expiresAt'],
});
