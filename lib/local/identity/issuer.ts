import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SeededUser } from '../../contract/product.ts';
import { invokeFailure } from '../functions/result.ts';
import type { StageModel } from '../model.ts';
import type { Fault } from '../service/faults.ts';
import { startService } from '../service/service.ts';
import { accessToken, type Claims, ownerIn, subjectOf } from './access-token.ts';
import type { Cognito } from './cognito/call.ts';
import { findUser, openDirectory } from './cognito/directory.ts';
import { answerUserPoolCall, answerUserPoolError, type FrontOptions, isUserPoolCall } from './cognito/front.ts';
import { openSessions } from './cognito/sessions.ts';
import { openKeys } from './keys.ts';
import { applicationPools, poolOf, UnknownName, unknown } from './pools.ts';
import { seedUsers } from './seeded-users.ts';

export { UnknownName } from './pools.ts';

/** The local stage's Cognito: the template's pools, groups and clients, with keys of its own. */

type TokenRequest = {
  readonly application: string;
  readonly user: string;
  readonly roles: readonly string[];
  /** An app client's name; by default the pool's first client. */
  readonly client?: string | undefined;
  /** Seconds, 900 by default. Zero or less makes an expired token. */
  readonly expiresIn?: number | undefined;
  /** Seconds since the sign-in: the token is then like a renewed one. None by default. */
  readonly signedInAgo?: number | undefined;
};

export type Issuer = {
  /** The base URL of the pools for every Cognito client, also for `/<pool id>/.well-known/jwks.json`. */
  readonly url: string;
  readonly applications: () => string[];
  /** @throws UnknownName */
  readonly token: (request: TokenRequest) => Promise<string>;
  /** The `sub` that a user's tokens carry. @throws UnknownName */
  readonly subject: (application: string, user: string) => Promise<string>;
  /** For tests: from now on tokens are signed with a new key; the old key stays published. @throws UnknownName */
  readonly rotateKey: (application: string) => void;
  readonly close: () => Promise<void>;
};

export type KeySetFault = Extract<Fault, 'error' | 'garbage' | 'hang'>;

type Options = {
  readonly model: () => StageModel;
  readonly dataDir?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** The users who can sign in from the start. */
  readonly users?: readonly SeededUser[] | undefined;
  /** Invokes the pools' triggers. */
  readonly invoke?: Cognito['invoke'] | undefined;
  readonly authorize?: FrontOptions['authorize'];
  readonly intercept?: FrontOptions['intercept'];
  /** For tests: returns the fault for a fetch of a pool's keys. */
  readonly interceptKeySet?: (() => KeySetFault | undefined) | undefined;
};

export async function startIssuer(options: Options): Promise<Issuer> {
  const { model, dataDir, now = Date.now, users = [], authorize, intercept, interceptKeySet } = options;
  const {
    invoke = async (arn) => invokeFailure('rejected', 'ResourceNotFoundException', `Function not found: ${arn}`),
  } = options;
  const keys = openKeys(dataDir);
  // Made in advance, on the thread pool: a key takes some 100 ms, and the first request need not wait for it.
  const made = Promise.allSettled(model().userPools.map(({ id }) => keys.of(id)));

  const issuerOf = (poolId: string) => `https://cognito-idp.${model().region}.amazonaws.com/${poolId}`;
  const sign = async (poolId: string, claims: Omit<Claims, 'issuer'>) =>
    accessToken({ ...claims, issuer: issuerOf(poolId) }, await keys.of(poolId));
  const cognito: Cognito = {
    pools: () => model().userPools,
    directory: openDirectory(dataDir),
    sessions: openSessions(now),
    now,
    region: () => model().region,
    invoke,
    sign,
    verify: async (token) => {
      const published = await Promise.all(model().userPools.map(({ id }) => keys.published(id)));
      return ownerIn(token, published.flat(), now());
    },
  };
  let seeded: { model: StageModel; done: Promise<void> } | undefined;
  // Not at the start: hashing the passwords takes longer than the whole start.
  const seed = (current: StageModel): Promise<void> => {
    if (seeded?.model !== current) seeded = { model: current, done: seedUsers(cognito.directory, current, users) };
    return seeded.done;
  };

  const answerKeySet = async (poolId: string | undefined, response: ServerResponse): Promise<void> => {
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const pool = model().userPools.find(({ id }) => id === poolId);
    if (!pool) return answer(404, { message: 'There is no such user pool.' });
    const fault = interceptKeySet?.();
    if (fault === 'hang') return;
    if (fault === 'error') answer(500, { message: 'The keys cannot be had.' });
    else if (fault === 'garbage') response.writeHead(200).end('<html>not JSON');
    else answer(200, { keys: (await keys.published(pool.id)).map(({ jwk }) => jwk) });
  };
  const service = await startService({
    name: 'Cognito',
    answer: async (request: IncomingMessage, response: ServerResponse) => {
      if (isUserPoolCall(request)) {
        await seed(model());
        await answerUserPoolCall(request, response, { cognito, authorize, intercept });
        return;
      }
      const [, poolId] = /^\/([^/?]+)\/\.well-known\/jwks\.json$/.exec(request.url ?? '') ?? [];
      await answerKeySet(poolId, response);
    },
    answerError: (error, _, response) => answerUserPoolError(error, response),
  });

  return {
    url: service.url,
    applications: () => [...applicationPools(model()).keys()],
    subject: (application, user) => subjectNamed(cognito, poolOf(model(), application).id, user),
    token: async ({ application, user, roles, client, expiresIn = 900, signedInAgo }) => {
      const pool = poolOf(model(), application);
      for (const role of roles) {
        if (!pool.groups.includes(role)) throw new UnknownName(unknown('role', role, pool.groups));
      }
      const names = pool.clients.map(({ name }) => name);
      const chosen = client === undefined ? pool.clients[0] : pool.clients.find(({ name }) => name === client);
      if (!chosen) throw new UnknownName(unknown('client', client ?? '', names));
      const issuedAt = Math.floor(now() / 1000);
      const sub = await subjectNamed(cognito, pool.id, user);
      return sign(pool.id, {
        sub,
        clientId: chosen.id,
        username: pool.signsInByEmail ? sub : user,
        groups: roles,
        // As after the trigger.
        scopes: [],
        // A token that has expired was issued before that.
        issuedAt: Math.min(issuedAt, issuedAt + expiresIn - 1),
        expiresAt: issuedAt + expiresIn,
        ...(signedInAgo !== undefined && { signedInAt: issuedAt - signedInAgo }),
      });
    },
    rotateKey: (application) => keys.rotate(poolOf(model(), application).id),
    close: async () => {
      await service.close();
      // A key that is still being made would be written to a folder that may be deleted by then.
      if (dataDir) await made;
    },
  };
}

/** For a user who can sign in, the same `sub` as after a sign-in; for any other name, one derived from the name. */
async function subjectNamed({ directory }: Cognito, poolId: string, name: string): Promise<string> {
  return findUser(directory.of(poolId), name)?.sub ?? subjectOf(poolId, name);
}
