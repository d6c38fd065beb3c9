import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { AccessLog, AccessLogEntry } from '../../access/data-subject.ts';

/** Table `AccessLog`, which `functions/access/log.ts` writes. */

/**
 * A page of the looks at a user's data, newest first, strongly consistent.
 *
 * @param after the `lookId` that the previous page ended with
 */
export async function readLooks(
  table: AccessLog<'query'>,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ looks: AccessLogEntry[]; next: string | null }> {
  const query = { ...inPartition({ userId }, { lookId: all }, after), ScanIndexForward: false };
  const { rows: looks, next } = await queryPage(table, query, limit);
  return { looks, next };
}
