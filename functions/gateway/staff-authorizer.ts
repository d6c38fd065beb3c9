import { lambda } from '../../lib/runtime/runtime.ts';
import { staffAuthorizer } from '../../lib/runtime/staff-authorizer.ts';
import { roleScopes } from '../product.ts';

export const handler = staffAuthorizer(lambda, { scopes: roleScopes });
