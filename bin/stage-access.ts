import type { Environment } from '../lib/contract/register.ts';
import { portOf } from './settings.ts';
import { stateOutput } from './stack-outputs.ts';

/**
 * How a command reaches a stage: a deployed one with the shell's AWS credentials and region (`--stage dev`), or the
 * running local one (`--local`), which tells the command where its services are.
 */

type Service = 'dynamodb' | 's3' | 'kms' | 'eventbridge' | 'cognito';

/** The part of a client's configuration that says where it calls; empty leaves it to the shell. */
type ClientContext = {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly forcePathStyle?: boolean;
};

export type StageAccess = {
  /** An output of the State stack: `ConsentRecordsTableName`. @throws an Error if there is no such output */
  readonly outputs: (name: string) => Promise<string>;
  /** `new S3Client({ ...limits, ...access.client('s3') })` @throws an Error if the stage has no such service */
  readonly client: (service: Service) => ClientContext;
};

/** The answer of `GET /_local/access`. */
type LocalAccess = {
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly endpoints: Readonly<Partial<Record<Service, string>>>;
  readonly outputs: Readonly<Record<string, string>>;
};

export type StageArguments = { readonly stage?: Environment; readonly local?: boolean };

/** A page has up to a megabyte. One throttled call must not end a run of hours. */
export const scanLimits = {
  maxAttempts: 10,
  retryMode: 'adaptive',
  requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

/** @throws an Error in one sentence: if neither is given, or the local stage does not answer */
export async function stageAccess({ stage, local }: StageArguments): Promise<StageAccess> {
  if (local) return localAccess(await readAccess());
  if (stage === undefined) throw new Error('name the stage: --stage dev|staging|prod, or --local for the running one');
  return { outputs: (name) => stateOutput(stage, name), client: () => ({}) };
}

async function readAccess(): Promise<LocalAccess> {
  const origin = `http://${process.env.HOST ?? '127.0.0.1'}:${portOf(process.env)}`;
  const answer = await fetch(`${origin}/_local/access`).catch(() => {
    throw new Error(`no local stage answers at ${origin}; start it (npm start) or set PORT`);
  });
  if (answer.status !== 200) throw new Error(`${origin}/_local/access answers ${answer.status}`);
  return (await answer.json()) as LocalAccess;
}

function localAccess({ region, credentials, endpoints, outputs }: LocalAccess): StageAccess {
  return {
    async outputs(name) {
      const value = outputs[name];
      if (value === undefined) throw new Error(`the local stage has no output ${name}`);
      return value;
    },
    client(service) {
      const endpoint = endpoints[service];
      if (endpoint === undefined) throw new Error(`the local stage has no ${service}`);
      // One host serves all buckets here.
      return { region, credentials, endpoint, ...(service === 's3' && { forcePathStyle: true }) };
    },
  };
}
