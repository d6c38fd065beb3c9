import { signedHeaders } from '../service/signature.ts';

/** DynamoDB's calls about streams, without an SDK: no client for them exists in the version of the other clients. */

export type StreamRecord = {
  readonly eventID: string;
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime: number };
  /** Present if DynamoDB itself made the change. */
  readonly userIdentity?: { readonly Type: string; readonly PrincipalId: string };
} & Readonly<Record<string, unknown>>;

/**
 * A record in Lambda's event, where DynamoDB's `Type` and `PrincipalId` are in lower case.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
export function inEvent({ userIdentity: by, ...record }: StreamRecord, eventSourceARN: string) {
  return { ...record, ...(by && { userIdentity: { type: by.Type, principalId: by.PrincipalId } }), eventSourceARN };
}

type Shard = { readonly ShardId: string; readonly ParentShardId?: string };
type Answers = {
  DescribeTable: { Table: { LatestStreamArn?: string } };
  DescribeStream: { StreamDescription: { Shards: Shard[] } };
  GetShardIterator: { ShardIterator: string };
  GetRecords: { Records: StreamRecord[]; NextShardIterator?: string };
};
export type StreamCall = <A extends keyof Answers>(action: A, input: object) => Promise<Answers[A]>;

export class StreamError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export function streamClient(endpoint: string, region: string, accessKeyId: string): StreamCall {
  return async (action, input) => {
    const service = action === 'DescribeTable' ? 'DynamoDB' : 'DynamoDBStreams';
    const body = JSON.stringify(input);
    const call = { endpoint, region, accessKeyId, target: `${service}_20120810.${action}` };
    const response = await fetch(endpoint, { method: 'POST', headers: signedHeaders(call, body), body });
    const output = (await response.json()) as Record<string, unknown>;
    if (response.ok) return output as never;
    throw new StreamError(String(output.__type).replace(/^.*#/, ''), String(output.message ?? output.Message));
  };
}
