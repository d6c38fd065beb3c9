import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { environmentNamed } from '../contract/deployments.ts';
import { contentHash } from './content-hash.ts';
import type { SynthesisTimes } from './synth-worker.ts';

/** The synthesized template of an environment, from the cache if no input changed. */

export const projectDir = join(import.meta.dirname, '..', '..');

/** All inputs of the template and the bundles. The code that runs the template is not among them. */
export const synthesisInputs = [
  'lib/bundle',
  'lib/contract',
  'lib/runtime',
  'lib/stack',
  'functions',
  'bin/app.ts',
  'package-lock.json',
  'cdk.json',
];

const day = 86_400_000;

export type Synthesis = {
  /** The cloud assembly. */
  readonly directory: string;
  readonly isCached: boolean;
  readonly milliseconds: number;
  /** Null if the template was cached. */
  readonly times: SynthesisTimes | null;
};

/**
 * Bundles the functions and synthesizes the stacks in a separate thread. It runs beside the rest of a start, and each
 * run reads the current modules. Neither esbuild nor the CDK is loaded when nothing changed.
 *
 * @param validates whether the templates are validated, too, as `AppOptions` says: for a deployment
 * @throws an Error with the compiler's or the construct's message.
 */
export async function synthesize(
  environment: string,
  cacheDir = join(projectDir, '.cache'),
  validates = false,
): Promise<Synthesis> {
  const began = performance.now();
  environmentNamed(environment);
  const stages = join(cacheDir, 'stages');
  const kind = validates ? `${environment}-validated` : environment;
  const directory = join(stages, `${kind}-${await contentHash(projectDir, synthesisInputs)}`);
  const done = (times: SynthesisTimes | null) => ({
    directory,
    isCached: times === null,
    milliseconds: Math.round(performance.now() - began),
    times,
  });
  if (await exists(join(directory, 'manifest.json'))) {
    const now = new Date();
    await utimes(directory, now, now);
    return done(null);
  }
  // Written to another folder, then renamed: neither an interrupted start nor a second, parallel one leaves half a
  // template.
  const aside = join(stages, `writing-${randomUUID()}`);
  await mkdir(aside, { recursive: true });
  let times: SynthesisTimes;
  try {
    times = await inWorker({ environment, directory: aside, validates });
    await rename(join(aside, 'assembly'), directory).catch(async (error: unknown) => {
      if (!(await exists(join(directory, 'manifest.json')))) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  await prune(stages);
  return done(times);
}

function inWorker(workerData: { environment: string; directory: string; validates: boolean }): Promise<SynthesisTimes> {
  const { PATH, HOME, TMPDIR } = process.env;
  const worker = new Worker(new URL('./synth-worker.ts', import.meta.url), {
    workerData,
    // The shell's AWS and CDK variables must not leak into a template whose cache key is only its sources.
    env: { PATH, HOME, TMPDIR, CDK_DISABLE_STACK_TRACE: '1' },
  });
  return new Promise((resolve, reject) => {
    let times: SynthesisTimes | undefined;
    worker.once('message', (measured: SynthesisTimes) => {
      times = measured;
    });
    worker.once('error', reject);
    worker.once('exit', (code) =>
      code === 0 && times ? resolve(times) : reject(new Error(`the synthesis ended with code ${code}`)),
    );
  });
}

/** Keeps folders that may be in use: the five newest, all of the last week, and those that another start is writing. */
async function prune(stages: string): Promise<void> {
  const entries = await Promise.all(
    (await readdir(stages)).map(async (name) => ({ name, age: Date.now() - (await modified(join(stages, name))) })),
  );
  const byAge = entries.sort((a, b) => a.age - b.age);
  const finished = byAge.filter(({ name }) => !name.startsWith('writing-'));
  const abandoned = byAge.filter(({ name, age }) => name.startsWith('writing-') && age > day);
  const old = finished.slice(5).filter(({ age }) => age > 7 * day);
  await Promise.all([...abandoned, ...old].map(({ name }) => rm(join(stages, name), { recursive: true, force: true })));
}

async function modified(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
