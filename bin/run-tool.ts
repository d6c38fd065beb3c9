import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installTool } from './tools.ts';

/** Installs a tool if needed, and runs a program of its packages with the arguments: `runTool('bin/tools/lint', 'biome', ['check'])`. */
export function runTool(tool: string, program: string, words: readonly string[]): void {
  const folder = join(import.meta.dirname, '..', tool);
  installTool(folder);
  const { status, error } = spawnSync(join(folder, 'node_modules', '.bin', program), words, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  process.exitCode = status ?? 1;
}
