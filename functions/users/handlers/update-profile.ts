import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { roles } from '../../product.ts';
import { BirthYearStated, UserNotFound } from '../errors.ts';
import { updateProfile } from '../routes.ts';
import { canonicalChanges, type Erased, isErased, type User } from '../rules/profile.ts';
import { introduce } from '../stores/user-pool.ts';
import { meetUser, readUser, updateUser } from '../stores/users.ts';

export const handler = serveWithPrefetch(updateProfile)({
  prefetch: ({ caller, tables }) => readUser(tables.Users, caller.userId),
  respond: async (input, known) => {
    const { body, caller, tables, userPool, now, fail } = input;
    const { userId } = caller;
    // It is stated once and for all, so a mistyped year must not be stored.
    if (body.birthYear !== undefined && body.birthYear > now.getUTCFullYear()) {
      const message = 'must not be in the future';
      return fail(ValidationFailed, { issues: [{ in: 'body', path: 'birthYear', code: 'too_big', message }] });
    }
    const isOther = (user: User | Erased | null) =>
      user !== null &&
      !isErased(user) &&
      user.birthYear !== undefined &&
      body.birthYear !== undefined &&
      user.birthYear !== body.birthYear;
    if (isOther(known)) return fail(BirthYearStated);
    const changes = canonicalChanges(body);
    // Nearly always the user is there already, and this one write is all.
    let user = await updateUser(tables.Users, userId, changes, { known });
    if (!user) {
      const make = () => introduce(cognito(), userPool.id, input);
      const met = await meetUser(tables.Users, userId, make, { known });
      user = met && (await updateUser(tables.Users, userId, changes));
    }
    if (!user) return fail(UserNotFound);
    const { birthYear = null } = user;
    if (isOther(user)) return fail(BirthYearStated);
    return {
      ...user,
      birthYear,
      roles: roles.filter((role) => caller.roles.includes(role)),
    };
  },
});
