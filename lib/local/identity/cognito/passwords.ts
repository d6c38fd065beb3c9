import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordPolicyModel } from '../../model.ts';
import { failure } from './failures.ts';

/** Passwords are kept as scrypt hashes: `<salt>:<hash>:<cost>`, the first two in base64. */

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const bytes = 32;
/** Low, for a machine that has invented users only: each start hashes the seeded ones, and tests hundreds. */
const cost = 1024;
/** Node's default. Hashes in data that was kept before have no cost. */
const unnamedCost = 16_384;

export async function hashed(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, bytes, { cost });
  return `${salt.toString('base64')}:${hash.toString('base64')}:${cost}`;
}

/** No user's hash. A password is checked against it if the user does not exist, so the check takes the same time. */
const nobodys = `${Buffer.alloc(16).toString('base64')}:${Buffer.alloc(bytes).toString('base64')}:${cost}`;

/** @param hash null if there is no user: the work is the same as for a new hash, and the answer is false */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [salt = '', expected = '', named = unnamedCost] = (hash ?? nobodys).split(':');
  const found = await derive(password, Buffer.from(salt, 'base64'), bytes, { cost: Number(named) });
  return timingSafeEqual(found, Buffer.from(expected, 'base64')) && hash !== null;
}

/** @throws InvalidPasswordException */
export function assertFits(password: string, policy: PasswordPolicyModel): void {
  const problems: [boolean, string][] = [
    [password.length < policy.minimumLength, 'Password not long enough'],
    [policy.needsUppercase && !/[A-Z]/.test(password), 'Password must have uppercase characters'],
    [policy.needsLowercase && !/[a-z]/.test(password), 'Password must have lowercase characters'],
    [policy.needsNumbers && !/[0-9]/.test(password), 'Password must have numeric characters'],
    [policy.needsSymbols && !/[^A-Za-z0-9]/.test(password), 'Password must have symbol characters'],
  ];
  const found = problems.find(([holds]) => holds)?.[1];
  if (found) throw failure('InvalidPasswordException', `Password did not conform with policy: ${found}`);
}
