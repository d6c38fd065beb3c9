import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { findByEmail, readProfiles } from '../../users/exports.ts';
import { findUsers } from '../routes.ts';
import { readEntry, readListed } from '../stores/directory-rows.ts';
import { shown } from '../workflows/administer-user.ts';

export const handler = servePages(
  findUsers,
  lambdaWithAccess,
)(async ({ query, page, tables }) => {
  if (query.email !== undefined) {
    const user = await findByEmail(dynamo(), tables.Users, 'sleepcare', query.email);
    if (!user) return { items: [], next: null };
    return { items: [shown(user, await readEntry(dynamo(), tables.UserDirectory, user.userId))], next: null };
  }
  const after = page.after ? String(page.after.entry) : null;
  const { listed, next } = await readListed(dynamo(), tables.UserDirectory, query, { limit: page.limit, after });
  const users = await readProfiles(
    dynamo(),
    tables.Users,
    listed.map(({ userId }) => userId),
  );
  // Whoever was erased just now is in the list still.
  const items = listed.flatMap((row) => {
    const user = users.get(row.userId);
    return user ? [shown(user, row)] : [];
  });
  return { items, next: next === null ? null : { entry: next } };
});

await initialize(findUsers);
