import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { applicationOutput, stateOutput } from './stack-outputs.ts';
import { replayFailures } from './stream-failures.ts';

/**
 * `npm run replay-stream-failures -- --stage dev`: what the agent board's stream gave up goes through `dispatch-pushes`
 * once more, with the shell's AWS credentials and region, and is removed when it was consumed. No push comes twice by
 * it. `--dry-run` says what lies there; `--keep` removes nothing.
 */

const usage = 'npm run replay-stream-failures -- --stage dev|staging|prod [--dry-run] [--keep]';
/** An invocation takes as long as the function and its cold start, and an object holds up to 6 MB. */
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
    functionName: await applicationOutput(stage, 'sleepcare', 'DispatchPushesFunctionName'),
    isDry,
    keeps,
    print: (line) => console.log(line),
  });
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
