import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { type Entry, entryPoints, functionModules } from '../../lib/bundle/entries.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * What `new NodejsFunction(…, { entry, runtime: NODEJS_24_X })` passes to esbuild when nothing else is said
 * (aws-cdk-lib/aws-lambda-nodejs/lib/bundling.js): its own bundle for each function, CommonJS, unminified, and the SDK
 * left to Lambda's runtime. That SDK is emulated by this checkout's node_modules, by NODE_PATH.
 */
const nodejsFunctionDefaults = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  external: ['@aws-sdk/*'],
} as const satisfies BuildOptions;

/**
 * CommonJS has no top-level await, so a function that is built so does no work at init.
 *
 * @param external further packages that a peer can do without
 */
export async function bundleByDefaults(outdir: string, entries: readonly Entry[], external: readonly string[] = []) {
  const withoutInit = entries.map((entry) => ({ ...entry, atInit: undefined }));
  await build({
    ...nodejsFunctionDefaults,
    absWorkingDir: root,
    entryPoints: entryPoints(withoutInit),
    plugins: [functionModules(withoutInit)],
    outdir,
    external: [...nodejsFunctionDefaults.external, ...external],
    logLevel: 'warning',
  });
}
