import { functionLimitsMs } from '../../bin/function-limits.ts';
import { openApiDocument } from '../../lib/contract/openapi.ts';
import { startStage } from '../../lib/local/index.ts';
import { declarations, product } from './module.ts';

/** For the test, which the types of this product would otherwise reach. */

const place = { module: 'test/second-product/module.ts', folder: 'test/second-product/functions' };

export const start = () => startStage({ product: place, environment: 'home', users: product.users, functionLimitsMs });

export const document = () => openApiDocument({ product, ...declarations });
