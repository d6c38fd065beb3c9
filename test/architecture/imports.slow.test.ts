import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { importsOf, readSources } from '../../bin/source-imports.ts';

const root = new URL('../../', import.meta.url).pathname;
const sources = readSources(root);

test('no import is overlooked: esbuild sees the same ones', async () => {
  const files = [...sources.keys()];
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    outdir: 'out',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  for (const file of files) {
    const seen = metafile.inputs[file]?.imports.map(({ path }) => path) ?? [];
    const found = importsOf(file, sources.get(file) ?? '').filter(({ typeOnly, to }) => !typeOnly && !isStarted(to));
    expect(new Set(found.map(({ to }) => to)), file).toEqual(new Set(seen));
  }
});

/** Started or loaded by its address, so that it is no import to esbuild. */
function isStarted(path: string): boolean {
  return path.endsWith('-worker.ts') || path.startsWith('bin/tools/');
}
