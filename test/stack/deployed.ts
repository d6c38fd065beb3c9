import { readAssembly } from '../../lib/local/template/assembly.ts';
import type { Deployment } from '../../lib/local/template/deployment.ts';
import { openSecrets } from '../../lib/local/template/secrets.ts';
import { deploy } from '../../lib/local/template/stacks.ts';
import type { Stage } from './stage.ts';

const deployments = new WeakMap<Stage, Deployment>();

/** A stage as it would be deployed, with the names to which its references come. */
export function deployed(stage: Stage): Deployment {
  const made = deployments.get(stage) ?? deploy(readAssembly(stage.directory), openSecrets(undefined));
  deployments.set(stage, made);
  return made;
}
