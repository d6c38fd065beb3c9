import { authorizer } from '../../../../lib/runtime/authorizer.ts';
import { lambda } from '../../../../lib/runtime/runtime.ts';
import { product } from '../../product.ts';

export const handler = authorizer(lambda, { scopes: product.roles });
