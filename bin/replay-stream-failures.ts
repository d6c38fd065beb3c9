import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { consumers } from '../functions/domains.ts';
import { runsIn } from '../lib/contract/consumer.ts';
import { functionName, logicalId } from '../lib/stack/names.ts';
import { applicationOutput, stateOutput } from './stack-outputs.ts';
import { replayFailures } from './stream-failures.ts';

/**
 * `npm run replay-stream-failures -- --stage dev`: what the streams gave up goes once more through the function that gave it
 * up (pushes, events of consents, statistics), with the shell's AWS credentials and region, and is removed when it was
 * consumed. No push comes twice by it, and nothing is counted twice. `--dry-run` says what lies there; `--keep` removes nothing.
 */

const usage = 'npm run replay-stream-failures -- --stage dev|staging|prod [--dry-run] [--keep]';
const ofStreams = consumers
  .filter(({ consumer }) => consumer.stream && runsIn(consumer, 'sleepcare'))
  .map(({ id }) => `${logicalId(functionName(id))}FunctionName`);
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
    functionNames: await Promise.all(ofStreams.map((name) => applicationOutput(stage, 'sleepcare', name))),
    isDry,
    keeps,
    print: (line) => console.log(line),
  });
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
