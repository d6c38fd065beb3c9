import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceProblems, lockProblems, unexplained } from './packages.ts';
import { lockedFolders } from './tools.ts';

const reasons = 'docs/decisions/0007-dependencies.md';
export function run(): void {
  const page = readFileSync(join(import.meta.dirname, '..', reasons), 'utf8');

  const problems = lockedFolders().flatMap(({ folder, manifest, lock }) => [
    ...[...lockProblems(manifest, lock), ...licenceProblems(lock)].map((problem) => `${folder}: ${problem}`),
    ...unexplained(manifest, page).map((name) => `${reasons} does not say why ${name}`),
  ]);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
