import { rolesOf } from '../../../lib/contract/roles.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../errors.ts';
import { updateProfile } from '../routes.ts';
import { canonicalChanges } from '../rules/profile.ts';
import { introduce } from '../stores/user-pool.ts';
import { meetUser, updateUser } from '../stores/users.ts';

export const handler = serve(updateProfile)(async (input) => {
  const { body, caller, application, environment, tables, userPool, fail } = input;
  const changes = canonicalChanges(body);
  const update = () => updateUser(dynamo(), tables.Users, caller.userId, changes);
  // Nearly always the user is there already, and this one write is all.
  let user = await update();
  if (!user) {
    const make = () => introduce(cognito(), userPool.id, input);
    user = (await meetUser(dynamo(), tables.Users, caller.userId, make)) && (await update());
  }
  if (!user) return fail(UserNotFound);
  return { ...user, roles: rolesOf(application, environment).filter((role) => caller.roles.includes(role)) };
});

await initialize(updateProfile);
