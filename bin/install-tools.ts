import { join } from 'node:path';
import { installTool, toolFolders } from './tools.ts';

export function run(): void {
  for (const folder of toolFolders) installTool(join(import.meta.dirname, '..', folder));
}
