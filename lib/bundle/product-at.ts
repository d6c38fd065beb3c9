import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProductModule } from '../contract/declarations.ts';
import { root } from './root.ts';

/** Loads a product's facts and declarations. @param path below the project's root */
export function productAt(path: string): Promise<ProductModule> {
  return import(pathToFileURL(join(root, path)).href) as Promise<ProductModule>;
}
