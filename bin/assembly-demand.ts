import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readStageModel, resourcesIn } from '../lib/local/index.ts';

/** What an environment's templates take of an account's quotas. */
export type Demand = {
  /** Of the API that has the most: one for each path and those on the way to it. */
  readonly gatewayResources: number;
  readonly roles: number;
  /** Of the stream that has the most consumers. */
  readonly streamReaders: number;
  /** Of the functions, before they are zipped. */
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
    codeBytes: readStageModel(directory).functions.reduce((sum, { codeDir }) => sum + bytesIn(codeDir), 0),
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
