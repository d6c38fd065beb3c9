import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readAssembly } from '../lib/local/template/assembly.ts';
import { functionsOf } from '../lib/local/template/functions.ts';
import { ofType } from '../lib/local/template/resources.ts';
import { openSecrets } from '../lib/local/template/secrets.ts';
import { deploy } from '../lib/local/template/stacks.ts';

/** What an environment's templates take of an account's quotas. */
export type Demand = {
  /** Of the API that has the most: one for each path and those on the way to it. */
  readonly gatewayResources: number;
  readonly roles: number;
  /** Of the functions, before they are zipped. */
  readonly codeBytes: number;
};

/** @param directory the cloud assembly */
export function demandOf(directory: string): Demand {
  const deployment = deploy(readAssembly(directory), openSecrets(undefined));
  const paths = ofType(deployment, 'AWS::ApiGateway::RestApi').map(
    ({ properties: { Body } }) => Object.keys((Body as { paths: object }).paths).length,
  );
  return {
    gatewayResources: Math.max(...paths),
    roles: ofType(deployment, 'AWS::IAM::Role').length,
    codeBytes: functionsOf(deployment).reduce((sum, { codeDir }) => sum + bytesIn(codeDir), 0),
  };
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
