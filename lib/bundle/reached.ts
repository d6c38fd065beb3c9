import type { Metafile } from 'esbuild';
import { withEsbuild } from './esbuild.ts';
import { root } from './root.ts';

/** The project's own modules that modules import, themselves included, below the project's root. Packages are not followed. */
export async function reachedFrom(...files: readonly string[]): Promise<string[]> {
  const { metafile } = await withEsbuild(({ build }) =>
    build({
      absWorkingDir: root,
      entryPoints: [...files],
      outdir: root,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      treeShaking: false,
      metafile: true,
      write: false,
      logLevel: 'silent',
    }),
  );
  return ownFiles(metafile);
}

/** What a lock file does not pin. Modules of a plugin, such as `function:agree`, have no file. */
function ownFiles({ inputs }: Metafile): string[] {
  return Object.keys(inputs).filter((path) => !path.startsWith('node_modules/') && !/^[a-z-]+:/.test(path));
}
