import { variableOf } from './variables.ts';

/**
 * A random text that only the environment knows, as the domain that owns it declares it in its `secrets.ts`. Secrets
 * Manager makes it once. Only functions that declare its use get it, by a deploy. It is never replaced: data that was made
 * with it could not be read or compared any more.
 */
export type Secret<N extends string = string> = {
  readonly name: N;
  /** `hashes and seals access codes` */
  readonly does: string;
};

/** @param name also the name of the constant; the secret's logical id and environment variable are derived from it */
export function secret<const N extends string>(name: N, declaration: Omit<Secret, 'name'>): Secret<N> {
  return { name, ...declaration };
}

/** The environment variable that carries a secret: `AccessCodeKey` → `ACCESS_CODE_KEY_SECRET`. */
export function secretVariable(secret: Pick<Secret, 'name'>): string {
  return variableOf(secret, 'SECRET');
}
