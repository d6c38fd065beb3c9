import { errors } from '../functions/domains.ts';
import type { DeclaredError } from '../lib/contract/errors.ts';

/** @throws an Error where no domain declares it */
export function errorOf(code: string): DeclaredError {
  const found = errors.find(({ error }) => error.code === code);
  if (!found) throw new Error(`no domain declares ${code}`);
  return found.error;
}
