import { scanEach } from '../../../lib/runtime/scan-each.ts';
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
  const users = scanEach<{ userId: string }>(tables.Users, { ConsistentRead: true, ProjectionExpression: 'userId' });
  for await (const { userId } of users) {
    // Whose an address is stands there, too.
    if (userId.includes('#')) continue;
    await listUser(directory, userId);
    looked += 1;
  }
  const entries = scanEach<{ list: string }>(tables.UserDirectory, {
    ConsistentRead: true,
    ProjectionExpression: '#list',
    ExpressionAttributeNames: { '#list': 'list' },
  });
  for await (const { list } of entries) {
    const userId = userOfKey(list);
    if (userId !== null) await listUser(directory, userId);
  }
  return looked;
}
