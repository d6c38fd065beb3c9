import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceProblems, lockProblems, unexplained } from './packages.ts';

/**
 * `npm run check:packages` checks that every package has a hash, names no registry, and has an exact version and a permissive licence,
 * and that each dependency has its reason in decision 7. It makes no network calls.
 */

const root = join(import.meta.dirname, '..');
const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const reasons = 'docs/decisions/0007-dependencies.md';
const manifest = json('package.json');
const lock = json('package-lock.json');

const problems = [
  ...lockProblems(manifest, lock),
  ...licenceProblems(lock),
  ...unexplained(manifest, readFileSync(join(root, reasons), 'utf8')).map(
    (name) => `${reasons} does not say why ${name}`,
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
