import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readKept, writeKept } from '../../kept-file.ts';

/** The users of each pool and their sessions. */

export type User = {
  /** Also the user name, if the pool signs in by e-mail. */
  readonly sub: string;
  readonly username: string;
  attributes: Record<string, string>;
  /** Null until one is set. */
  passwordHash: string | null;
  status: 'FORCE_CHANGE_PASSWORD' | 'CONFIRMED';
  isEnabled: boolean;
  groups: string[];
  /** The authenticator app; `lastStep` is the latest step whose code was used. */
  totp: { secret: string; lastStep: number } | null;
  /** The user's choice, which counts if the pool leaves the choice to users. */
  wantsTotp: boolean;
  readonly createdAt: number;
  modifiedAt: number;
};

/** Times in milliseconds since 1970. */
export type RefreshToken = {
  /** The id of the sign-in that the token comes from. */
  readonly origin: string;
  readonly sub: string;
  readonly clientId: string;
  readonly signedInAt: number;
  readonly expiresAt: number;
  /** Null while it is the latest token of its sign-in. */
  replacedAt: number | null;
};

export type PoolData = {
  /** By `sub`. */
  readonly users: Map<string, User>;
  /** By the SHA-256 of the token. */
  readonly refreshTokens: Map<string, RefreshToken>;
  /** The sign-ins that were ended, each with the time at which its last token would have expired. */
  readonly ended: Map<string, number>;
};

export type Directory = {
  readonly of: (poolId: string) => PoolData;
  /** Writes the state in memory to the disk. */
  readonly save: (poolId: string) => void;
};

type Stored = { users: [string, User][]; refreshTokens: [string, RefreshToken][]; ended: [string, number][] };

/** @param dataDir undefined keeps all in memory */
export function openDirectory(dataDir: string | undefined): Directory {
  const pools = new Map<string, PoolData>();
  const fileOf = (poolId: string) => dataDir && join(dataDir, 'identity', `${poolId}.json`);
  const of = (poolId: string) => {
    const known = pools.get(poolId) ?? read(fileOf(poolId));
    pools.set(poolId, known);
    return known;
  };
  return {
    of,
    save: (poolId) => {
      const file = fileOf(poolId);
      if (file) writeKept(file, written(of(poolId)));
    },
  };
}

function read(file: string | undefined): PoolData {
  const { users = [], refreshTokens = [], ended = [] } = readKept<Partial<Stored>>(file, {});
  return { users: new Map(users), refreshTokens: new Map(refreshTokens), ended: new Map(ended) };
}

/** Without what has expired. */
function written({ users, refreshTokens, ended }: PoolData): string {
  const now = Date.now();
  for (const [hash, { expiresAt }] of refreshTokens) if (expiresAt <= now) refreshTokens.delete(hash);
  for (const [origin, until] of ended) if (until <= now) ended.delete(origin);
  return JSON.stringify({ users: [...users], refreshTokens: [...refreshTokens], ended: [...ended] });
}

/** By user name, `sub`, or e-mail address in any case, as Cognito takes them in `Username`. */
export function findUser({ users }: PoolData, name: string): User | null {
  const wanted = name.toLowerCase();
  const found = users.get(name);
  if (found) return found;
  return (
    [...users.values()].find(({ username, attributes }) => {
      return username.toLowerCase() === wanted || attributes.email?.toLowerCase() === wanted;
    }) ?? null
  );
}

export function newUser(more: Partial<User> & Pick<User, 'attributes'>, now: number): User {
  const sub = more.sub ?? randomUUID();
  return {
    username: sub,
    passwordHash: null,
    status: 'FORCE_CHANGE_PASSWORD',
    isEnabled: true,
    groups: [],
    totp: null,
    wantsTotp: false,
    createdAt: now,
    modifiedAt: now,
    ...more,
    sub,
  };
}
