import { serve } from '../../../lib/runtime/serve.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { readAppUser } from '../routes.ts';
import { readEntry } from '../stores/directory-rows.ts';
import { appUser, shown } from '../workflows/administer-user.ts';

export const handler = serve(
  readAppUser,
  lambdaWithAccess,
)(async ({ params: { userId }, tables }) => {
  const [user, entry] = await Promise.all([appUser(tables.Users, userId), readEntry(tables.UserDirectory, userId)]);
  return shown(user, entry);
});
