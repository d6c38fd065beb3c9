import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readStageModel, resourcesIn } from '../lib/local/index.ts';

/** How much of an account's quotas an environment's templates use. */
export type Demand = {
  /** For the API with the most resources: one for each path and for each of its parent paths. */
  readonly gatewayResources: number;
  readonly roles: number;
  /** For the stream with the most consumers. */
  readonly streamReaders: number;
  /** The size of the functions before they are zipped. */
  readonly codeBytes: number;
};

/** @param directory the cloud assembly */
export function demandOf(directory: string): Demand {
  const paths = resourcesIn(directory, 'AWS::ApiGateway::RestApi').map(
    ({ properties: { Body } }) => Object.keys((Body as { paths: object }).paths).length,
  );
  return {
    gatewayResources: Math.max(...paths),
    roles: resourcesIn(directory, 'AWS::IAM::Role').length,
    streamReaders: Math.max(0, ...readersOf(directory)),
    codeBytes: readStageModel({ directory }).functions.reduce((sum, { codeDir }) => sum + bytesIn(codeDir), 0),
  };
}

function readersOf(directory: string): number[] {
  const sources = resourcesIn(directory, 'AWS::Lambda::EventSourceMapping').map(({ properties }) =>
    JSON.stringify(properties.EventSourceArn),
  );
  return [
    ...Map.groupBy(
      sources.filter((source) => /stream/i.test(source)),
      String,
    ).values(),
  ].map(({ length }) => length);
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
