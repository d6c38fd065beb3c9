import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpointArn, type Platform } from './arns.ts';

/** The platform applications and their endpoints. */

export type Application = {
  readonly arn: string;
  readonly platform: Platform;
  readonly name: string;
  /** Without credentials: SNS never returns them, and nothing here uses them. */
  attributes: Record<string, string>;
};

export type Endpoint = {
  readonly arn: string;
  readonly applicationArn: string;
  /** Counts up, so pages stay in order when endpoints are created or deleted between them. */
  readonly sequence: number;
  token: string;
  isEnabled: boolean;
  customUserData: string | null;
};

export type Directory = {
  readonly applications: Map<string, Application>;
  readonly endpoints: Map<string, Endpoint>;
  /** Resolves when the state in memory is also on disk. */
  readonly save: () => Promise<void>;
};

type Stored = { applications: Application[]; endpoints: Endpoint[] };

/** @param dataDir undefined keeps all in memory */
export async function openDirectory(dataDir: string | undefined): Promise<Directory> {
  const file = dataDir && join(dataDir, 'sns', 'endpoints.json');
  const stored = await read(file);
  const applications = new Map(stored.applications.map((each) => [each.arn, each]));
  const endpoints = new Map(stored.endpoints.map((each) => [each.arn, each]));
  let writing: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return {
    applications,
    endpoints,
    save: () => {
      if (!file) return Promise.resolve();
      // One write at a time, with the complete state of its time. A call while a write waits shares that write.
      waiting ??= writing
        .catch(() => undefined)
        .then(() => {
          waiting = undefined;
          return write(file, { applications: [...applications.values()], endpoints: [...endpoints.values()] });
        });
      writing = waiting;
      return waiting;
    },
  };
}

async function read(file: string | undefined): Promise<Stored> {
  try {
    if (file) return JSON.parse(await readFile(file, 'utf8')) as Stored;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return { applications: [], endpoints: [] };
}

/**
 * Written to another file and renamed, so a crash leaves either the old state or the new one. No other user may read
 * tokens.
 */
async function write(file: string, stored: Stored): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, JSON.stringify(stored), { mode: 0o600 });
  await rename(aside, file);
}

export function endpointsOf({ endpoints }: Directory, { arn }: Application): Endpoint[] {
  return [...endpoints.values()].filter(({ applicationArn }) => applicationArn === arn);
}

/**
 * SNS documents no number: "a quota on the number of platform endpoints that can be created starting with the same
 * token".
 */
const STARTING_WITH_ONE_TOKEN = 10;

/**
 * The id is derived from the endpoint's first token, as SNS's ids are (UUIDs of version 3). The same app on the same
 * phone gets the same ARN again after its endpoint was deleted.
 * @returns null if the quota is used up:
 * https://docs.aws.amazon.com/sns/latest/dg/mobile-push-create-platform-endpoint.html
 */
export function freeEndpointArn({ endpoints }: Directory, application: Application, token: string): string | null {
  for (let attempt = 0; attempt < STARTING_WITH_ONE_TOKEN; attempt += 1) {
    const hash = createHash('md5').update(`${application.arn}\n${token}\n${attempt}`).digest('hex');
    const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
    const parts = [hash.slice(0, 8), hash.slice(8, 12), `3${hash.slice(13, 16)}`, variant + hash.slice(17, 20)];
    const arn = endpointArn(application.arn, `${parts.join('-')}-${hash.slice(20)}`);
    if (!endpoints.has(arn)) return arn;
  }
  return null;
}
