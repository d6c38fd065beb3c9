/** The product, with its domains: what lib gets as an argument, and its threads load by this file's path. */

export { questions } from '../functions/analytics/questions.ts';
export { declarations } from '../functions/domains.ts';
export { product } from '../functions/product.ts';
