import type { Application } from './register.ts';

/** A route's or consumer's use of a user pool: entries of its `uses`. */

/**
 * What a function may ask of the user pool. Each is one of Cognito's actions, so that a function holds what it calls and nothing more:
 * a pool knows no narrower right than an action on all of its users.
 * `renew` renews and revokes sessions by the refresh token; Cognito allows this to everybody who has the token, so no grant
 * exists for it. `authenticate` asks whether a password is right, and signs in where that is enough; `answer-challenge` does the rest.
 * `own-account` signs the caller in once more, with a client whose tokens open the caller's own account at Cognito; such a token never
 * leaves the function.
 */
export type UserPoolAccess =
  | 'renew'
  | 'authenticate'
  | 'answer-challenge'
  | 'own-account'
  | 'read'
  | 'create'
  | 'set-password'
  | 'set-address'
  | 'delete-second-factor'
  | 'end-sessions'
  | 'disable'
  | 'enable'
  | 'delete'
  | 'add-to-group';

export type UserPoolUse = { readonly userPool: readonly UserPoolAccess[]; readonly of?: Application };

/** @param of the application whose pool it is, if it is not the caller's */
export function userPool(access: UserPoolAccess | readonly UserPoolAccess[], of?: Application): UserPoolUse {
  const accesses = typeof access === 'string' ? [access] : access;
  return of === undefined ? { userPool: accesses } : { userPool: accesses, of };
}
