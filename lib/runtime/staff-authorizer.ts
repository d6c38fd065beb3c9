import { StaffAccounts } from '../contract/staff-accounts.ts';
import { type Authorizer, type AuthorizerOptions, authorizer } from './authorizer.ts';
import { tableIn } from './clients.ts';
import type { Runtime } from './runtime.ts';
import { staffRolesOf } from './staff-standing.ts';

/**
 * The authorizer of an application for staff. It differs from the other one in one point: the roles come from the member's row, read strongly
 * consistently. API Gateway keeps the answer for a minute. So a removed role ends within a minute, also for tokens that
 * were issued before.
 *
 * The client has not the hasty limits: nothing stands in for this row, so a slow connection would refuse the request.
 */
export function staffAuthorizer(runtime: Runtime, options: AuthorizerOptions): Authorizer {
  return authorizer(runtime, {
    ...options,
    rolesOf: (claims) => staffRolesOf(tableIn(runtime.variables, StaffAccounts, runtime.dynamo), claims),
  });
}
