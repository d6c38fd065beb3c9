import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { bundle } from '../lib/bundle/bundle.ts';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { buildApp } from '../lib/stack/app.ts';

/** The program that the CDK CLI runs (cdk.json): `cdk deploy --all -c stage=dev`. */

const functionsDir = join(import.meta.dirname, '..', '.cache', 'functions');

/** The CLI passes its `-c` values in the environment, to every App. */
function stageAsked(): unknown {
  return new App({ autoSynth: false }).node.tryGetContext('stage');
}

async function run(): Promise<void> {
  const environment = environmentNamed(stageAsked());
  await bundle({ outdir: functionsDir });
  buildApp({ environment, functionsDir, validates: true }).synth();
}

await run().catch((error: Error) => {
  // esbuild has already printed what it found; a stack trace would say nothing more about an unknown stage.
  console.error(`${error.message}`);
  process.exitCode = 1;
});
