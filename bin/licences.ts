import { licencesOf } from './packages.ts';
import { lockedFolders } from './tools.ts';

export function run({ deployed }: { readonly deployed: boolean }): void {
  const found = lockedFolders()
    .flatMap(({ lock }) => licencesOf(lock))
    .filter(({ isForDevelopment }) => !deployed || !isForDevelopment)
    // Of a package in several places, the last one counts: the one that is deployed.
    .toSorted((one, other) => Number(other.isForDevelopment) - Number(one.isForDevelopment));
  const all = [...new Map(found.map((one) => [`${one.name}@${one.version}`, one])).values()].toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  for (const { name, version, licence, isForDevelopment } of all) {
    console.log(`${licence}\t${name}@${version}${isForDevelopment ? '\tdevelopment' : ''}`);
  }
  const counts = Object.entries(Object.groupBy(all, ({ licence }) => licence)).map(
    ([licence, of]) => `${of?.length} ${licence}`,
  );
  console.error(`${all.length} packages: ${counts.join(', ')}`);
}
