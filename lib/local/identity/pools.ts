import type { StageModel, UserPoolModel } from '../model.ts';

/** The error if a request names something that the template does not have. Its message is for the developer. */
export class UnknownName extends Error {
  override name = 'UnknownName';
}

/**
 * An application's pool is the pool that the template gives to its authorizer, so a mistake in the template shows here.
 */
export function applicationPools({ apis, functions, userPools }: StageModel): Map<string, UserPoolModel> {
  const authorizers = apis.flatMap((api) => api.authorizers.map(({ functionArn }) => functionArn));
  return new Map(
    functions
      .filter(({ arn }) => authorizers.includes(arn))
      .flatMap(({ environment: { APPLICATION, USER_POOL_ID } }): [string, UserPoolModel][] => {
        const pool = userPools.find(({ id }) => id === USER_POOL_ID);
        return APPLICATION && pool ? [[APPLICATION, pool]] : [];
      }),
  );
}

/** @throws UnknownName */
export function poolOf(model: StageModel, application: string): UserPoolModel {
  const pools = applicationPools(model);
  const pool = pools.get(application);
  if (!pool) throw new UnknownName(unknown('application', application, [...pools.keys()]));
  return pool;
}

export function unknown(what: string, name: string, known: readonly string[]): string {
  return `There is no ${what} ${JSON.stringify(name)}; known: ${known.join(', ')}.`;
}
