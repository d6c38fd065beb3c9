import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { inPartition, only } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { removeBelow } from '../../../lib/runtime/remove-below.ts';
import { removeRow } from '../../../lib/runtime/rows.ts';
import type { PersonalExports } from '../tables.ts';
import { prefixOfPerson } from './export-objects.ts';

/**
 * Deletes the rows first. A function that is making an export of this person then finds at its next write that the row does not exist,
 * and deletes the objects that it has stored since.
 */
export const eraseExports: Eraser<
  { readonly PersonalExports: PersonalExports<'query' | 'removeRow'> },
  'PersonalExportFiles'
> = async (to, { userId }) => {
  const { s3, tables, buckets } = to;
  const table = tables.PersonalExports;
  const keys = queryEach<{ exportId: string }>(table, only(inPartition({ userId }), ['exportId']));
  for await (const { exportId } of keys) {
    await removeRow(table, { userId, exportId });
  }
  await removeBelow({ s3, bucket: buckets.PersonalExportFiles }, prefixOfPerson({ userId }));
};
