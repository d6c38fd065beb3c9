import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { consumers } from '../functions/domains.ts';
import { applications } from '../functions/product.ts';
import { runsIn } from '../lib/contract/consumer.ts';
import { functionName, logicalId } from '../lib/stack/names.ts';
import { oneLine, say } from './progress.ts';
import { applicationOutput, stateOutput } from './stack-outputs.ts';
import { replayFailures } from './stream-failures.ts';

type Options = { readonly stage: string; readonly dryRun: boolean; readonly keep: boolean };

const ofStreams = applications.flatMap((application) =>
  consumers
    .filter(({ consumer }) => consumer.stream && runsIn(consumer, application))
    .map(({ id }) => ({ application, output: `${logicalId(functionName(id))}FunctionName` })),
);
/** An invocation takes as long as the function and its cold start. An object has up to 6 MB. */
const limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 30_000 } };

export async function run({ stage, dryRun, keep }: Options): Promise<void> {
  const failed = await replayFailures({
    s3: new S3Client(limits),
    lambda: new LambdaClient(limits),
    bucket: await stateOutput(stage, 'StreamFailuresBucketName'),
    functionNames: await Promise.all(
      ofStreams.map(({ application, output }) => applicationOutput(stage, application, output)),
    ),
    isDry: dryRun,
    keeps: keep,
    print: (line) => say(oneLine(line)),
  });
  if (failed > 0) process.exitCode = 1;
}
