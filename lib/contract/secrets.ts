import { variableOf } from './variables.ts';

/**
 * A ring of keys (`key-ring.ts`) that only the environment knows, as the domain that owns it declares it in its `secrets.ts`. Secrets
 * Manager makes the first key. Only functions that declare its use get it, by a deploy. `npm run cli -- replace-secret` replaces a key while
 * the service runs.
 */
export type Secret<N extends string = string> = {
  readonly name: N;
  /** `hashes and seals access codes` */
  readonly does: string;
  /**
   * The longest life of what is made with it, in days: so long after another key came in its place, a key goes. Null: something is never
   * made anew, so each key stays.
   */
  readonly lifeDays: number | null;
};

/** @param name also the name of the constant; the secret's logical id and environment variable are derived from it */
export function secret<const N extends string>(name: N, declaration: Omit<Secret, 'name'>): Secret<N> {
  return { name, ...declaration };
}

/** The environment variable that carries a secret: `AccessCodeKey` → `ACCESS_CODE_KEY_SECRET`. */
export function secretVariable(secret: Pick<Secret, 'name'>): string {
  return variableOf(secret, 'SECRET');
}

/** Of every environment, and of no domain: functions of collections have it. A client that is refused starts its list again. */
export const cursorSecret = {
  name: 'CursorKey',
  does: 'seals the cursors of collections',
  lifeDays: 1,
} as const satisfies Secret;

export const cursorVariable = 'CURSOR_KEY';
