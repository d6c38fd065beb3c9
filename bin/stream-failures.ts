import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';

/** The changes of streams that could not be consumed, and how each consumer gets its own changes again. */

export type Replay = {
  readonly s3: Pick<S3Client, 'send'>;
  readonly lambda: Pick<LambdaClient, 'send'>;
  readonly bucket: string;
  /** The consumers of streams. Each gets the failures that were its own. */
  readonly functionNames: readonly string[];
  /** Only lists the failures. */
  readonly isDry?: boolean;
  /** Keeps the objects that were replayed. */
  readonly keeps?: boolean;
  /** Gets a line for each object. The line has no content of the records. */
  readonly print: (line: string) => void;
};

type Event = { readonly Records: readonly { readonly dynamodb?: { readonly SequenceNumber?: string } }[] };

/**
 * Invokes the consumer with each failure, oldest first and one at a time. Objects that were consumed completely are removed. Other
 * objects stay and can be replayed again.
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

/** If this many records of one object are refused, the records are not the cause: something that the function needs does not work. */
const mostRefused = 5;

/** @throws an Error if a part of it was not consumed */
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
    // The function stops at a record that it cannot consume. Here, unlike in the stream, later records do not wait for it.
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
  // Without this list, an invocation of another function would look like a success.
  if (!Array.isArray(answer.batchItemFailures)) throw new Error('the function does not answer as a consumer');
  return answer.batchItemFailures.map(({ itemIdentifier }: { itemIdentifier?: string }) => itemIdentifier);
}

/** @returns undefined if the text is not JSON */
function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
