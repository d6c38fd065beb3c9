import { setTimeout as sleep } from 'node:timers/promises';
import { APIGatewayClient, GetStageCommand } from '@aws-sdk/client-api-gateway';
import { AthenaClient } from '@aws-sdk/client-athena';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { deployments } from '../functions/product.ts';
import type { ProbePaths } from '../lib/stack/probe-paths.ts';
import { type ProbeTemplates, refusedBy } from '../lib/stack/probe-stacks.ts';
import { addressLimit } from '../lib/stack/settings.ts';
import { emptyBucket } from './empty-bucket.ts';
import type { ProbeAccount, StackNames } from './probe.ts';
import { probedAthena } from './probe-athena.ts';
import { probedCognito } from './probe-cognito.ts';
import { probedEvidence } from './probe-evidence.ts';
import { probedLedger } from './probe-ledger.ts';
import type { Metered, Probed } from './probed.ts';
import { deleteStack, deployStack, type FailedResource, stackNamed } from './stack-run.ts';

/** The account and region of the shell's AWS credentials, as the probe uses it. */

const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };

/** @param pollMs between two looks at a stack */
export function probeAccountOfTheShell(paths: ProbePaths, pollMs: number): ProbeAccount {
  const cloudFormation = new CloudFormationClient(limits);
  const deploy = async (name: string, template: object) =>
    (await deployStack(cloudFormation, name, template, pollMs)).map(lineOf);
  return {
    deploy,
    async made(name) {
      return (await stackNamed(cloudFormation, name))?.CreationTime ?? null;
    },
    async remove(name) {
      // Deletes the objects of the probe, also of a killed one: CloudFormation deletes no bucket that has objects.
      const { AnalyticsBucketName, EvidenceBucketName } = await outputsOf(cloudFormation, name);
      for (const bucket of [AnalyticsBucketName, EvidenceBucketName]) if (bucket) await emptyBucket(bucket);
      return (await deleteStack(cloudFormation, name, pollMs)).map((each) => `${name}: ${lineOf(each)}`);
    },
    async probed(names, templates) {
      const outputs = {
        ...(await outputsOf(cloudFormation, names.state)),
        ...(await outputsOf(cloudFormation, names.api)),
      };
      return probedBy(outputs, names, templates, { deploy, cloudFormation, pollMs, paths });
    },
  };
}

type Means = {
  readonly deploy: ProbeAccount['deploy'];
  readonly cloudFormation: CloudFormationClient;
  readonly pollMs: number;
  readonly paths: ProbePaths;
};

function probedBy(
  outputs: Readonly<Record<string, string>>,
  names: StackNames,
  templates: ProbeTemplates,
  { deploy, cloudFormation, pollMs, paths }: Means,
): Probed {
  const output = (name: string): string => outputs[name] ?? missing(name);
  const invoke = async (payload: object) => {
    const { Payload, FunctionError } = await new LambdaClient(limits).send(
      new InvokeCommand({ FunctionName: output('FunctionName'), Payload: JSON.stringify(payload) }),
    );
    const text = Buffer.from(Payload ?? []).toString();
    if (FunctionError) throw new Error(text);
    return JSON.parse(text);
  };
  const deployOrThrow = async (name: string, template: object) => {
    const failures = await deploy(name, template);
    if (failures.length > 0) throw new Error(failures.join('; '));
  };
  return {
    paths,
    invoke,
    fetch: (path, headers = {}) => fetched(`${output('Address')}${path}`, headers, pollMs),
    burst: (path, calls) => Promise.all(Array.from({ length: calls }, () => calledOnce(`${output('Address')}${path}`))),
    // The rule's time window, and half a minute until it is enforced. The tests shorten both.
    firewallsMinute: () => sleep((addressLimit.windowSeconds * 1.5 * pollMs) / 5),
    async decrypted() {
      const own = output('FunctionArn');
      const ask = async (functionArn: string) => {
        const context = { 'aws:lambda:FunctionArn': functionArn };
        const { CiphertextBlob } = await new KMSClient(limits).send(
          new EncryptCommand({
            KeyId: output('KeyArn'),
            Plaintext: Buffer.from('probe'),
            EncryptionContext: context,
          }),
        );
        const encrypted = Buffer.from(CiphertextBlob ?? []).toString('base64');
        return (await invoke({ probe: 'decrypt', encrypted, context })).answer;
      };
      return { own: await ask(own), other: await ask(own.replace(/[^:]+$/, 'of-somebody-else')) };
    },
    evidence: probedEvidence(new S3Client(limits), () => output('EvidenceBucketName')),
    ledger: probedLedger(new DynamoDBClient(limits), output('LedgerName')),
    cognito: probedCognito(output('PoolId'), {
      ClientId: output('ClientId'),
      ownAccountClientId: output('OwnAccountClientId'),
    }),
    askAthena: async () => {
      const context = {
        client: new AthenaClient(limits),
        workGroup: output('AnalyticsWorkGroupName'),
        database: output('AnalyticsDatabaseName'),
        pollMs: Math.min(pollMs, 1000),
      };
      return probedAthena(new S3Client(limits), output('AnalyticsBucketName'), context)();
    },
    async webAclOfStage() {
      const { webAclArn } = await new APIGatewayClient(limits).send(
        new GetStageCommand({ restApiId: output('ApiId'), stageName: deployments.medinfo.stage }),
      );
      return webAclArn ?? null;
    },
    async followReplacement() {
      const { table: before } = await invoke({ probe: 'variables' });
      await deployOrThrow(names.state, templates.replaced);
      await deployOrThrow(names.api, templates.api);
      const { ReplacedName: should = '' } = await outputsOf(cloudFormation, names.state);
      return { before, has: (await invoke({ probe: 'variables' })).table, should };
    },
    redeploy: () => deployOrThrow(names.api, templates.redeployed),
  };
}

/** A new stage answers 403 and 500 for some seconds. */
async function fetched(address: string, headers: Readonly<Record<string, string>>, pollMs: number) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(20_000) });
    const text = await answer.text();
    if (attempt < 6 && (answer.status === 403 || answer.status >= 500)) await sleep(pollMs);
    else return { status: answer.status, body: parsed(text) };
  }
}

/** A call without an answer gives status 0 and no error, so the other calls are still counted. */
async function calledOnce(address: string): Promise<Metered> {
  try {
    const headers = { Authorization: 'Bearer probe' };
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(20_000) });
    await answer.arrayBuffer();
    return { status: answer.status, refusedBy: answer.headers.get(refusedBy) };
  } catch {
    return { status: 0, refusedBy: null };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function outputsOf(client: CloudFormationClient, name: string): Promise<Record<string, string>> {
  const { Outputs = [] } = (await stackNamed(client, name)) ?? {};
  return Object.fromEntries(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

function lineOf({ logicalId, type, reason }: FailedResource): string {
  return `${logicalId} (${type}): ${reason}`;
}

function missing(name: string): never {
  throw new Error(`the probe has no output ${name}`);
}
