import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licencesOf } from './packages.ts';

/** `npm run licences [-- --deployed]`: each package with its version and licence, and how many are under each. */

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8'));
const isDeployedAlone = process.argv.includes('--deployed');
const all = licencesOf(lock).filter(({ isForDevelopment }) => !isDeployedAlone || !isForDevelopment);
for (const { name, version, licence, isForDevelopment } of all) {
  console.log(`${licence}\t${name}@${version}${isForDevelopment ? '\tdevelopment' : ''}`);
}
const counts = Object.entries(Object.groupBy(all, ({ licence }) => licence)).map(
  ([licence, of]) => `${of?.length} ${licence}`,
);
console.error(`${all.length} packages: ${counts.join(', ')}`);
