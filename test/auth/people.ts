import { applications, seededUsers } from '../../functions/product.ts';
import type { Application } from '../../lib/contract/register.ts';
import { call, isDeployed } from '../api.ts';

/** Who signs in: the local stage's seeded users, or those whose names and passwords the environment gives for a deployed one. */
export function person(role: 'patient' | 'physician' | 'admin') {
  const name = role.toUpperCase();
  const { [`${name}_USERNAME`]: username, [`${name}_PASSWORD`]: password } = process.env;
  if (username && password) return { username, password };
  if (isDeployed())
    throw new Error(`${name}_USERNAME and ${name}_PASSWORD are needed: a user of the stage without a second factor`);
  const seeded = seededUsers.find(({ roles }) => roles.includes(role) && roles.length === 1);
  if (!seeded) throw new Error(`nobody is seeded as ${role}`);
  return { username: seeded.name, password: seeded.password };
}

export async function issue(body: unknown, application: Application = 'sleepcare') {
  return call('POST', '/auth/tokens', { body, application });
}

export async function signedIn(role: 'patient' | 'physician' | 'admin') {
  const { status, body } = await issue(
    { grantType: 'password', ...person(role) },
    applications[role === 'patient' ? 0 : 1],
  );
  if (status !== 200) throw new Error(`${role} cannot sign in: ${status} ${body.code}`);
  return body as { accessToken: string; refreshToken: string; expiresIn: number };
}
