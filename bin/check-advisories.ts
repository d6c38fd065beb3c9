import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exceptionsIn, findings, type Package } from './advisories.ts';
import { affectedBy, OsvUnavailable } from './osv.ts';
import { licencesOf } from './packages.ts';
import { lockedFolders } from './tools.ts';

/**
 * `npm run check:advisories`: asks OSV about every locked package, those that `npm run sbom` lists, and fails where a weakness is
 * there for longer than docs/SECURITY.md allows. It is not a part of `npm run check`, which makes no network calls and must not
 * fail by the calendar. Exit codes: 0 no breach, or OSV does not answer, which it says; 1 a breach.
 */

const page = join(import.meta.dirname, '../docs/security/exceptions.md');
const exceptions = existsSync(page) ? exceptionsIn(readFileSync(page, 'utf8')) : [];

const all = lockedFolders().flatMap(({ folder, lock }) =>
  licencesOf(lock).map(({ name, version, isForDevelopment }): Package => {
    return { name, version, isDeployed: folder === '.' && !isForDevelopment };
  }),
);
// A package that is also deployed has the shorter time.
const packages = [...Map.groupBy(all, ({ name, version }) => `${name}@${version}`).values()].flatMap(
  (same) => same.find(({ isDeployed }) => isDeployed) ?? same.slice(0, 1),
);

try {
  const found = findings(await affectedBy(packages), exceptions, new Date().toISOString().slice(0, 10));
  for (const { state, package: name, advisory, risk, due, summary } of found) {
    console.error(`${state}: ${name}, ${advisory}, ${risk}, due ${due}: ${summary}`);
  }
  const breaches = found.filter(({ state }) => state === 'breach').length;
  console.error(`${packages.length} packages, ${found.length} open advisories, ${breaches} over their time`);
  if (breaches > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof OsvUnavailable)) throw error;
  console.error(`NOT CHECKED: OSV (api.osv.dev) does not answer: ${error.message}`);
}
