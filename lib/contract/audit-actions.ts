/**
 * What an audit event says was done: `agreement-version.published`. The domain that does it declares it in its
 * `audit-actions.ts`. The name is stored for good, so it never changes.
 */
export type AuditAction = { readonly name: string };

/** @param name what is changed, and what happens to it; in camel case it is the name of the constant */
export function auditAction(name: string): AuditAction {
  return { name };
}
