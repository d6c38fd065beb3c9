import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exceptionsIn, findings, type Package } from './advisories.ts';
import { affectedBy, OsvUnavailable } from './osv.ts';
import { licencesOf } from './packages.ts';
import { lockedFolders } from './tools.ts';

const page = join(import.meta.dirname, '../docs/security/exceptions.md');
export async function run(): Promise<void> {
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
}
