import { authorizer } from '../../lib/runtime/authorizer.ts';
import { lambda } from '../../lib/runtime/runtime.ts';
import { roleScopes } from '../product.ts';

export const handler = authorizer(lambda, { scopes: roleScopes });
