import type { Claims } from './token.ts';

/** What the authorizer passes to the functions about the caller. API Gateway passes only strings. */
export type AuthorizerContext = {
  userId: string;
  username: string;
  roles: string;
  exp: string;
  signedInAt: string;
  sessionId: string;
};

type Said = Omit<Claims, 'clientId' | 'groups'> & { readonly groups: readonly string[] };

export function authorizerContext({ userId, username, groups, exp, signedInAt, sessionId }: Said): AuthorizerContext {
  const from = { signedInAt: String(signedInAt ?? ''), sessionId: sessionId ?? '' };
  return { userId, username, roles: groups.join(','), exp: String(exp), ...from };
}
