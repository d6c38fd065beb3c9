import { serve } from '../../../lib/runtime/serve.ts';
import { readAppUser } from '../routes.ts';
import { readEntry } from '../stores/directory-rows.ts';
import { appUser, shown } from '../workflows/administer-user.ts';

export const handler = serve(readAppUser)(async ({ params: { userId }, tables }) => {
  const [user, entry] = await Promise.all([appUser(tables.Users, userId), readEntry(tables.UserDirectory, userId)]);
  return shown(user, entry);
});
