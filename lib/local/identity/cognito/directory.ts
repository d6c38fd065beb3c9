import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
  readonly of: (poolId: string) => Promise<PoolData>;
  /** Resolves when the state in memory is also on disk. */
  readonly save: (poolId: string) => Promise<void>;
};

/** @param dataDir undefined keeps all in memory */
export function openDirectory(dataDir: string | undefined): Directory {
  const pools = new Map<string, Promise<PoolData>>();
  let writing: Promise<unknown> = Promise.resolve();
  const fileOf = (poolId: string) => dataDir && join(dataDir, 'identity', `${poolId}.json`);

  const of = (poolId: string) => {
    const known = pools.get(poolId) ?? read(fileOf(poolId));
    pools.set(poolId, known);
    return known;
  };
  return {
    of,
    save: async (poolId) => {
      const file = fileOf(poolId);
      if (!file) return;
      const data = await of(poolId);
      // One write after the other; each writes the complete state of its time.
      const turn = writing.catch(() => undefined).then(() => write(file, data));
      writing = turn;
      await turn;
    },
  };
}

async function read(file: string | undefined): Promise<PoolData> {
  try {
    const { users, refreshTokens, ended } = file ? JSON.parse(await readFile(file, 'utf8')) : {};
    return { users: new Map(users), refreshTokens: new Map(refreshTokens), ended: new Map(ended) };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return { users: new Map(), refreshTokens: new Map(), ended: new Map() };
  }
}

/** Written to another file and renamed, so a crash leaves either the old state or the new one. */
async function write(file: string, { users, refreshTokens, ended }: PoolData): Promise<void> {
  const now = Date.now();
  for (const [hash, { expiresAt }] of refreshTokens) if (expiresAt <= now) refreshTokens.delete(hash);
  for (const [origin, until] of ended) if (until <= now) ended.delete(origin);
  await mkdir(join(file, '..'), { recursive: true });
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, JSON.stringify({ users: [...users], refreshTokens: [...refreshTokens], ended: [...ended] }), {
    mode: 0o600,
  });
  await rename(aside, file);
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
