import type { ProductLocation } from '../lib/contract/declarations.ts';

/** Where the product is. It loads none of it. */
export const productLocation: ProductLocation = { module: 'bin/product.ts', folder: 'functions' };
