import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceProblems, lockProblems, unexplained } from './packages.ts';
import { lockedFolders } from './tools.ts';

/**
 * `npm run check:packages` checks that every package of the project and of its tools has a hash, names no registry, and has an exact
 * version and a permissive licence, and that each dependency has its reason in decision 7. It makes no network calls.
 */

const reasons = 'docs/decisions/0007-dependencies.md';
const page = readFileSync(join(import.meta.dirname, '..', reasons), 'utf8');

const problems = lockedFolders().flatMap(({ folder, manifest, lock }) => [
  ...[...lockProblems(manifest, lock), ...licenceProblems(lock)].map((problem) => `${folder}: ${problem}`),
  ...unexplained(manifest, page).map((name) => `${reasons} does not say why ${name}`),
]);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
