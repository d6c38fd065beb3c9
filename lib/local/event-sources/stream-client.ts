/** DynamoDB's calls about streams, without an SDK: no client of them has the version that the others have. */

export type StreamRecord = {
  readonly eventID: string;
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime: number };
  /** Of what DynamoDB did by itself. */
  readonly userIdentity?: { readonly Type: string; readonly PrincipalId: string };
} & Readonly<Record<string, unknown>>;

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
    const now = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
    const scope = `${accessKeyId}/${now.slice(0, 8)}/${region}/dynamodb/aws4_request`;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': `${service}_20120810.${action}`,
        'X-Amz-Date': now,
        // No local DynamoDB verifies a signature.
        Authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
      },
      body: JSON.stringify(input),
    });
    const output = (await response.json()) as Record<string, unknown>;
    if (response.ok) return output as never;
    throw new StreamError(String(output.__type).replace(/^.*#/, ''), String(output.message ?? output.Message));
  };
}
