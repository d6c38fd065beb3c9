/** What the authorizer tells the functions about the caller. API Gateway carries strings alone. */
export type AuthorizerContext = { userId: string; roles: string; exp: string };

/** @param exp seconds since 1970 */
export function authorizerContext(userId: string, roles: readonly string[], exp: number): AuthorizerContext {
  return { userId, roles: roles.join(','), exp: String(exp) };
}
