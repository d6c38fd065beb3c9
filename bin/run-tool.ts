import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installTool } from './tools.ts';

/** `node bin/run-tool.ts bin/tools/lint biome check`: installs a tool if needed, and runs a program of its packages with the arguments. */

const [, , tool = '', program = '', ...words] = process.argv;
const folder = join(import.meta.dirname, '..', tool);
installTool(folder);
const { status, error } = spawnSync(join(folder, 'node_modules', '.bin', program), words, {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (error) throw error;
process.exitCode = status ?? 1;
