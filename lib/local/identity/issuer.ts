import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StageModel, UserPoolModel } from '../model.ts';
import { accessToken, subjectOf } from './access-token.ts';
import { openKeys } from './keys.ts';

/** The local stage's Cognito: the same pools, groups and clients as the template's, with keys of its own. */

/** A request that names what the template does not have; its message is for the developer who typed it. */
export class UnknownName extends Error {
  override name = 'UnknownName';
}

export type TokenRequest = {
  readonly application: string;
  readonly user: string;
  readonly roles: readonly string[];
  /** An app client's name; the pool's first without one. */
  readonly client?: string | undefined;
  /** Seconds, 900 unless given; none or less makes a token that has expired. */
  readonly expiresIn?: number | undefined;
};

export type Issuer = {
  /** Where a Cognito client of any kind finds the pools; `/<pool id>/.well-known/jwks.json` among it. */
  readonly url: string;
  readonly applications: () => string[];
  /** @throws UnknownName */
  readonly token: (request: TokenRequest) => Promise<string>;
  /** The `sub` that a user's tokens carry. @throws UnknownName */
  readonly subject: (application: string, user: string) => string;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly model: () => StageModel;
  readonly dataDir?: string | undefined;
  /** Seconds since 1970. */
  readonly now?: () => number;
};

export async function startIssuer({ model, dataDir, now = seconds }: Options): Promise<Issuer> {
  const keyOf = openKeys(dataDir);
  // Made ahead, on threads of the pool: a key takes some 100 ms that the first request need not wait for.
  for (const { id } of model().userPools) keyOf(id).catch(() => undefined);

  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const [, poolId] = /^\/([^/?]+)\/\.well-known\/jwks\.json$/.exec(request.url ?? '') ?? [];
    const pool = model().userPools.find(({ id }) => id === poolId);
    try {
      if (pool) answer(200, { keys: [(await keyOf(pool.id)).jwk] });
      else answer(404, { message: 'There is no such user pool.' });
    } catch (error) {
      answer(500, { message: error instanceof Error ? error.message : String(error) });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    applications: () => [...applicationPools(model()).keys()],
    subject: (application, user) => subjectOf(poolOf(model(), application).id, user),
    token: async ({ application, user, roles, client, expiresIn = 900 }) => {
      const pool = poolOf(model(), application);
      for (const role of roles) {
        if (!pool.groups.includes(role)) throw new UnknownName(unknown('role', role, pool.groups));
      }
      const names = pool.clients.map(({ name }) => name);
      const chosen = client === undefined ? pool.clients[0] : pool.clients.find(({ name }) => name === client);
      if (!chosen) throw new UnknownName(unknown('client', client ?? '', names));
      const issuedAt = now();
      const claims = {
        sub: subjectOf(pool.id, user),
        issuer: `https://cognito-idp.${model().region}.amazonaws.com/${pool.id}`,
        clientId: chosen.id,
        username: user,
        groups: roles,
        // A token that has expired was issued before that.
        issuedAt: Math.min(issuedAt, issuedAt + expiresIn - 1),
        expiresAt: issuedAt + expiresIn,
      };
      return accessToken(claims, await keyOf(pool.id));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An application's pool is the one that its authorizer is told, so that a mistake there is a mistake here. */
function applicationPools({ apis, functions, userPools }: StageModel): Map<string, UserPoolModel> {
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

function poolOf(model: StageModel, application: string): UserPoolModel {
  const pools = applicationPools(model);
  const pool = pools.get(application);
  if (!pool) throw new UnknownName(unknown('application', application, [...pools.keys()]));
  return pool;
}

function unknown(what: string, name: string, known: readonly string[]): string {
  return `There is no ${what} ${JSON.stringify(name)}; known: ${known.join(', ')}.`;
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
