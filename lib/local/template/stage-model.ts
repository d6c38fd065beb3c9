import type { StageModel } from '../model.ts';
import { apisOf } from './apis.ts';
import { readAssembly } from './assembly.ts';
import { bucketsOf } from './buckets.ts';
import type { Resource } from './deployment.ts';
import { eventBusesOf } from './event-buses.ts';
import { eventSourcesOf } from './event-sources.ts';
import { functionsOf } from './functions.ts';
import { TemplateError } from './intrinsics.ts';
import { keysOf } from './keys.ts';
import { principalsOf } from './principals.ts';
import { queuesOf } from './queues.ts';
import { rateLimitsOf } from './rate-limits.ts';
import { ofType } from './resources.ts';
import { schedulesOf } from './schedules.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { deploy } from './stacks.ts';
import { tablesOf } from './tables.ts';
import { topicsOf } from './topics.ts';
import { userPoolsOf } from './user-pools.ts';

/**
 * Finds the resources of a type. Their properties are unresolved, as in the template.
 *
 * @param directory A synthesized cloud assembly: the folder with `manifest.json`.
 * @param type `AWS::IAM::Role`
 */
export function resourcesIn(directory: string, type: string): readonly Resource[] {
  return ofType(deploy(readAssembly(directory), openSecrets(undefined)), type);
}

/** What a stage is made of; `synthesize` makes it. */
export type StageFiles = {
  /** A synthesized cloud assembly: the folder with `manifest.json`. */
  readonly directory: string;
  /** The folder of an operation's code. Absent: the assembly has the code. */
  readonly codeOf?: (operation: string) => string;
};

/**
 * @throws a TemplateError that names the place of something that is missing or cannot run on this machine.
 */
export function readStageModel(
  { directory, codeOf }: StageFiles,
  secrets: Secrets = openSecrets(undefined),
): StageModel {
  const deployment = deploy(readAssembly(directory), secrets);
  const functions = functionsOf(deployment, codeOf);
  const apis = apisOf(deployment);
  for (const api of apis) {
    const invoked = [
      ...api.authorizers.map(({ functionArn }) => functionArn),
      ...api.methods.flatMap(({ integration }) => (integration.type === 'lambda' ? integration.functionArn : [])),
    ];
    for (const functionArn of invoked) {
      if (!functions.some(({ arn }) => arn === functionArn)) {
        throw new TemplateError(`the API ${api.name} invokes ${functionArn}, which is no function with an operation`);
      }
    }
  }
  return {
    region: deployment.region,
    accountId: deployment.accountId,
    outputs: deployment.outputs,
    functions,
    apis,
    rateLimits: rateLimitsOf(deployment),
    tables: tablesOf(deployment),
    queues: queuesOf(deployment),
    buckets: bucketsOf(deployment),
    topics: topicsOf(deployment, functions),
    eventSources: eventSourcesOf(deployment, functions),
    keys: keysOf(deployment),
    eventBuses: eventBusesOf(deployment),
    schedules: schedulesOf(deployment, functions),
    principals: principalsOf(deployment, functions),
    userPools: userPoolsOf(deployment),
  };
}
