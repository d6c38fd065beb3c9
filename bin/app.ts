import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { bundle } from '../lib/bundle/bundle.ts';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { buildApp } from '../lib/stack/app.ts';

/** What the CDK CLI runs, as cdk.json says: `cdk deploy --all -c stage=dev`. */

const functionsDir = join(import.meta.dirname, '..', '.cache', 'functions');

/** The CLI hands its `-c` values over in the environment, and to every App. */
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
