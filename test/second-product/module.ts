import { declarationsOf } from '../../lib/contract/declarations.ts';

export { product } from './product.ts';

export const declarations = declarationsOf(
  { notes: await import('./functions/notes/index.ts') },
  'test/second-product/functions',
);
