import type { ProductPlace } from '../lib/contract/declarations.ts';

/** Where the product is. It loads none of it. */
export const place: ProductPlace = { module: 'bin/product.ts', folder: 'functions' };
