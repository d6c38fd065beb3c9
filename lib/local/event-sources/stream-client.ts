/** What the poller of a stream calls and reads. */

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
