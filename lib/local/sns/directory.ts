import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readKept, writeKept } from '../kept-file.ts';
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
  /** Writes the state in memory to the disk. */
  readonly save: () => void;
};

type Stored = { applications: Application[]; endpoints: Endpoint[] };

/** @param dataDir undefined keeps all in memory */
export function openDirectory(dataDir: string | undefined): Directory {
  const file = dataDir && join(dataDir, 'sns', 'endpoints.json');
  const stored = readKept<Stored>(file, { applications: [], endpoints: [] });
  const applications = new Map(stored.applications.map((each) => [each.arn, each]));
  const endpoints = new Map(stored.endpoints.map((each) => [each.arn, each]));
  return {
    applications,
    endpoints,
    save: () => {
      const state: Stored = { applications: [...applications.values()], endpoints: [...endpoints.values()] };
      if (file) writeKept(file, JSON.stringify(state));
    },
  };
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
