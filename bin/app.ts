import { App } from 'aws-cdk-lib/core';
import { environments } from '../functions/product.ts';
import { bundleFunctions } from '../lib/bundle/bundle.ts';
import { functionEntries } from '../lib/bundle/entries.ts';
import { folderIn } from '../lib/bundle/folder-in.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import * as productModule from './product.ts';

/** The program that the CDK CLI runs (cdk.json): `cdk deploy --all -c stage=dev`. */

/** The CLI passes its `-c` values in the environment, to every App. */
function stageAsked(): unknown {
  return new App({ autoSynth: false }).node.tryGetContext('stage');
}

async function run(): Promise<void> {
  const environment = environmentNamed(environments, stageAsked());
  const { folders } = await bundleFunctions(functionEntries(productModule.declarations));
  // Loaded after esbuild has ended, so that the memory of one is free for the other.
  const { buildApp } = await import('../lib/stack/app.ts');
  buildApp({ module: productModule, environment, codeOf: folderIn(folders), validates: true }).synth();
}

await run().catch((error: Error) => {
  // esbuild has already printed what it found; a stack trace would say nothing more about an unknown stage.
  console.error(`${error.message}`);
  process.exitCode = 1;
});
