import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const root = new URL('../..', import.meta.url).pathname;

test('npm makes a CycloneDX bill of materials of all that is locked', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 1e8 });
  const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: { purl: string }[] };
  expect(bomFormat).toBe('CycloneDX');
  const purls = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    expect(purls.has(`pkg:npm/${name}@${version}`), name).toBe(true);
  }
});
