import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { environmentNamed } from '../contract/deployments.ts';
import { bundle } from '../stack/bundle.ts';

/** The thread of `synthesize`: it ends when the assembly is written, or with the error that stopped it. */

const { environment, directory } = workerData as { environment: string; directory: string };
const functionsDir = join(directory, 'functions');
// esbuild bundles in a process of its own while this thread loads the CDK, which takes it seconds.
const [{ buildApp }] = await Promise.all([import('../stack/app.ts'), bundle({ outdir: functionsDir })]);
const app = buildApp({ environment: environmentNamed(environment), functionsDir, outdir: join(directory, 'assembly') });
app.synth();
