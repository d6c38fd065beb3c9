import type { Claims } from './token.ts';

/** What the authorizer passes to the functions about the caller. API Gateway passes only strings. */
export type AuthorizerContext = { userId: string; username: string; roles: string; exp: string; signedInAt: string };

type Said = Pick<Claims, 'userId' | 'username' | 'exp' | 'signedInAt'> & { readonly groups: readonly string[] };

export function authorizerContext({ userId, username, groups, exp, signedInAt }: Said): AuthorizerContext {
  return { userId, username, roles: groups.join(','), exp: String(exp), signedInAt: String(signedInAt ?? '') };
}
