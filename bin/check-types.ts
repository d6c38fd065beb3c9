import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isInstalled, toolFolders } from './tools.ts';

const root = join(import.meta.dirname, '..');
const tools = toolFolders.filter((folder) => {
  return existsSync(join(root, folder, 'tsconfig.json')) && isInstalled(join(root, folder));
});
export function run(): void {
  for (const folder of ['.', 'test/second-product', ...tools]) {
    const kept = join('.cache', folder === '.' ? 'tsconfig.tsbuildinfo' : `${basename(folder)}.tsbuildinfo`);
    const words = ['-p', folder, '--incremental', '--tsBuildInfoFile', kept];
    const { status, error } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), words, {
      cwd: root,
      stdio: 'inherit',
    });
    if (error) throw error;
    if (status !== 0) process.exitCode = 1;
  }
}
