import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lockedFolders } from '../../bin/tools.ts';

type Bill = {
  readonly bomFormat: string;
  readonly components: readonly { readonly purl: string; readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
};

const root = new URL('../..', import.meta.url).pathname;

test('npm makes a CycloneDX bill of materials of all that is locked', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'cli', '--', 'sbom'], {
    cwd: root,
    maxBuffer: 1e8,
  });
  const { bomFormat, components, dependencies } = JSON.parse(stdout) as Bill;
  expect(bomFormat).toBe('CycloneDX');
  const purls = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
  for (const { manifest } of lockedFolders()) {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(purls.has(`pkg:npm/${name}@${version}`), name).toBe(true);
    }
  }
  // Each component once, and each dependency is a component.
  expect(purls.size).toBe(components.length);
  const named = new Set(components.map((component) => component['bom-ref']));
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !named.has(ref))).toEqual([]);
});
