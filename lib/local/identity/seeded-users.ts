import type { SeededUser } from '../../contract/product.ts';
import type { StageModel } from '../model.ts';
import { subjectOf } from './access-token.ts';
import { type Directory, findUser, newUser } from './cognito/directory.ts';
import { hashed } from './cognito/passwords.ts';
import { applicationPools } from './pools.ts';

/**
 * Adds the missing users. Their `sub` follows from their name, so it stays the same even if the stage keeps no data.
 */
export async function seedUsers(directory: Directory, model: StageModel, users: readonly SeededUser[]): Promise<void> {
  const pools = applicationPools(model);
  await Promise.all(
    users.map(async ({ name, application, password, roles }) => {
      const pool = pools.get(application);
      if (!pool) return;
      const data = directory.of(pool.id);
      if (findUser(data, name)) return;
      const user = newUser(
        {
          sub: subjectOf(pool.id, name),
          attributes: { email: name, email_verified: 'true' },
          passwordHash: await hashed(password),
          status: 'CONFIRMED',
          groups: roles.filter((role) => pool.groups.includes(role)),
        },
        Date.now(),
      );
      data.users.set(user.sub, pool.signsInByEmail ? user : { ...user, username: name });
      directory.save(pool.id);
    }),
  );
}

/** The `sub` of a seeded user; null if the template has no pool for that application. */
export function seededUserId(model: StageModel, application: string, name: string): string | null {
  const pool = applicationPools(model).get(application);
  return pool ? subjectOf(pool.id, name) : null;
}
