import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';

/** What Lambda gave up of the streams, and how each consumer gets its own once more. */

export type Replay = {
  readonly s3: Pick<S3Client, 'send'>;
  readonly lambda: Pick<LambdaClient, 'send'>;
  readonly bucket: string;
  /** The consumers of streams; each gets what it gave up itself. */
  readonly functionNames: readonly string[];
  /** Says what lies there, and does nothing. */
  readonly isDry?: boolean;
  /** Leaves also what was replayed where it is. */
  readonly keeps?: boolean;
  /** Hears of each object, and nothing of what is in its records. */
  readonly print: (line: string) => void;
};

type Event = { readonly Records: readonly { readonly dynamodb?: { readonly SequenceNumber?: string } }[] };

/**
 * Invokes the consumer with each failure, oldest first and one at a time, and removes what it consumed whole. What failed
 * stays and can be replayed again.
 *
 * @returns how many failed
 */
export async function replayFailures(replay: Replay): Promise<number> {
  const { s3, bucket: Bucket, isDry = false, keeps = false, print } = replay;
  const keys = await failureKeys(replay);
  let failed = 0;
  for (const Key of keys) {
    try {
      const { event, condition, functionName } = await readFailure(replay, Key);
      const records = `${event.Records.length} records of ${functionName}, ${condition}`;
      if (!isDry) await consume(replay, functionName, event);
      if (!isDry && !keeps) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
      print(`${isDry ? 'would replay' : 'replayed'} ${Key} (${records})`);
    } catch (error) {
      failed += 1;
      print(`failed ${Key}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const done = isDry ? 'to replay' : 'replayed';
  print(`${keys.length - failed} ${done}, ${failed} failed`);
  return failed;
}

/** Oldest first. */
async function failureKeys({ s3, bucket: Bucket }: Replay): Promise<string[]> {
  const found: { key: string; time: number }[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'aws/lambda/', ContinuationToken }));
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key !== undefined) found.push({ key: Key, time: LastModified?.getTime() ?? 0 });
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return found.toSorted((one, other) => one.time - other.time).map(({ key }) => key);
}

type Failure = { readonly event: Event; readonly condition: string; readonly functionName: string };

async function readFailure({ s3, bucket, functionNames }: Replay, Key: string): Promise<Failure> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  const { requestContext, payload } = Object(jsonOf(await Body?.transformToString()));
  const event: unknown = jsonOf(payload);
  if (!Array.isArray(Object(event).Records)) throw new Error('is not an invocation record of a stream');
  // `arn:aws:lambda:<region>:<account>:function:<name>`, and `:$LATEST` behind it.
  const named = String(requestContext?.functionArn).split(':')[6];
  const functionName = functionNames.find((name) => name === named);
  if (functionName === undefined) throw new Error('was not given up by a function of this stage');
  const condition = String(requestContext?.condition ?? 'has an unknown condition');
  return { event: event as Event, condition, functionName };
}

/** So many of one object are no poison any more: what the function needs does not work. */
const mostRefused = 5;

/** @throws an Error where not all of it was consumed */
async function consume(replay: Replay, functionName: string, event: Event): Promise<void> {
  const refused: string[] = [];
  let rest = event.Records;
  while (rest.length > 0) {
    const failures = await invoke(replay, functionName, { ...event, Records: rest });
    if (failures.length === 0) break;
    const numbers = rest.map(({ dynamodb }) => dynamodb?.SequenceNumber);
    const first = Math.min(...failures.map((number) => numbers.indexOf(number)));
    if (first < 0) throw new Error('the function failed all of its records');
    refused.push(String(numbers[first]));
    // The function stops at what it cannot consume; here, as opposed to the stream, what comes after must not wait for it.
    rest = rest.slice(first + 1);
    if (refused.length >= mostRefused && rest.length > 0)
      throw new Error('the function refuses too many records, one after another');
  }
  if (refused.length > 0)
    throw new Error(`the function refused the records ${refused.join(', ')}, and accepted the others`);
}

/** @returns the sequence numbers that the function reports as failed */
async function invoke({ lambda }: Replay, FunctionName: string, event: Event): Promise<(string | undefined)[]> {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(event)) }),
  );
  const answer = Object(jsonOf(Payload && Buffer.from(Payload).toString('utf8')));
  if (FunctionError) throw new Error(`${answer.errorType ?? FunctionError}: ${answer.errorMessage ?? 'no message'}`);
  // Without the list an invocation of another function would pass for a success.
  if (!Array.isArray(answer.batchItemFailures)) throw new Error('the function does not answer as a consumer');
  return answer.batchItemFailures.map(({ itemIdentifier }: { itemIdentifier?: string }) => itemIdentifier);
}

/** @returns undefined for what is no JSON */
function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
