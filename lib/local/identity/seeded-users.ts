import type { StageModel } from '../model.ts';
import { subjectOf } from './access-token.ts';
import { type Directory, findUser, newUser } from './cognito/directory.ts';
import { hashed } from './cognito/passwords.ts';
import { applicationPools } from './pools.ts';

/**
 * The users who can sign in at a new local stage, and nowhere else. A role without a group in the template is left out.
 */

export type SeededUser = {
  readonly name: string;
  readonly application: string;
  readonly password: string;
  readonly roles: readonly string[];
};

export const seededUsers: readonly SeededUser[] = [
  { name: 'patient@example.com', application: 'sleepcare', password: 'patient-patient', roles: ['patient'] },
  { name: 'physician@example.com', application: 'medinfo', password: 'physician-physician', roles: ['physician'] },
  { name: 'admin@example.com', application: 'medinfo', password: 'admin-admin-admin', roles: ['admin'] },
  {
    name: 'developer@example.com',
    application: 'sleepcare',
    password: 'developer-developer',
    roles: ['developer', 'patient'],
  },
  { name: 'developer@example.com', application: 'medinfo', password: 'developer-developer', roles: ['developer'] },
];

/**
 * Adds the missing users. Their `sub` follows from their name, so it stays the same even if the stage keeps no data.
 */
export async function seedUsers(directory: Directory, model: StageModel, users: readonly SeededUser[]): Promise<void> {
  const pools = applicationPools(model);
  await Promise.all(
    users.map(async ({ name, application, password, roles }) => {
      const pool = pools.get(application);
      if (!pool) return;
      const data = await directory.of(pool.id);
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
      await directory.save(pool.id);
    }),
  );
}

/** The `sub` of a seeded user; null if the template has no pool for that application. */
export function seededUserId(model: StageModel, application: string, name: string): string | null {
  const pool = applicationPools(model).get(application);
  return pool ? subjectOf(pool.id, name) : null;
}
