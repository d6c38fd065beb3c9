import { scanEach } from '../../../lib/runtime/scan-each.ts';
import type { Any } from '../../../lib/runtime/table-handle.ts';
import type { Users } from '../../users/tables.ts';
import { userOfKey } from '../rules/directory.ts';
import type { UserDirectory } from '../tables.ts';
import { type Directory, listUser } from '../workflows/list-user.ts';

type ScanTables = {
  readonly Users: Users<'scan'>;
  readonly UserDirectory: UserDirectory<'scan'>;
};

/** A part of `npm run cli -- rebuild-overview`: adds users to the lists who are older than the lists, and removes erased users. */
export async function relistUsers(directory: Directory & { readonly tables: ScanTables }): Promise<number> {
  const { tables } = directory;
  let looked = 0;
  for await (const { userId } of rowsOf(tables.Users, 'userId')) {
    // Whose an address is stands there, too.
    if (String(userId).includes('#')) continue;
    await listUser(directory, String(userId));
    looked += 1;
  }
  for await (const { list } of rowsOf(tables.UserDirectory, '#list')) {
    const userId = userOfKey(String(list));
    if (userId !== null) await listUser(directory, userId);
  }
  return looked;
}

function rowsOf(table: Any<'scan'>, ProjectionExpression: string) {
  const names = ProjectionExpression.startsWith('#')
    ? { ExpressionAttributeNames: { [ProjectionExpression]: ProjectionExpression.slice(1) } }
    : {};
  return scanEach<Record<string, unknown>>(table, { ConsistentRead: true, ProjectionExpression, ...names });
}
