import { join } from 'node:path';
import { installTool, toolFolders } from './tools.ts';

/** `npm run install-tools`: installs the packages of all tools, which commands and tests otherwise install when they need one. */

for (const folder of toolFolders) installTool(join(import.meta.dirname, '..', folder));
