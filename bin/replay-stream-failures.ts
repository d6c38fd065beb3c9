import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { consumers } from '../functions/domains.ts';
import { applications } from '../functions/product.ts';
import { runsIn } from '../lib/contract/consumer.ts';
import { functionName, logicalId } from '../lib/stack/names.ts';
import { applicationOutput, stateOutput } from './stack-outputs.ts';
import { replayFailures } from './stream-failures.ts';

/**
 * `npm run replay-stream-failures -- --stage dev`: sends failed changes of the streams again to the function that could not consume
 * them, of both applications, with the shell's AWS credentials and region. What was consumed is removed. No push is sent twice, and
 * nothing is counted twice. `--dry-run` lists the failures; `--keep` removes nothing.
 */

const usage = 'npm run replay-stream-failures -- --stage dev|staging|prod [--dry-run] [--keep]';
const ofStreams = applications.flatMap((application) =>
  consumers
    .filter(({ consumer }) => consumer.stream && runsIn(consumer, application))
    .map(({ id }) => ({ application, output: `${logicalId(functionName(id))}FunctionName` })),
);
/** An invocation takes as long as the function and its cold start. An object has up to 6 MB. */
const limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 30_000 } };

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, 'dry-run': { type: 'boolean' }, keep: { type: 'boolean' } },
  });
  const { stage, 'dry-run': isDry = false, keep: keeps = false } = values;
  if (!stage) throw new Error(usage);
  const failed = await replayFailures({
    s3: new S3Client(limits),
    lambda: new LambdaClient(limits),
    bucket: await stateOutput(stage, 'StreamFailuresBucketName'),
    functionNames: await Promise.all(
      ofStreams.map(({ application, output }) => applicationOutput(stage, application, output)),
    ),
    isDry,
    keeps,
    print: (line) => console.log(line),
  });
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
