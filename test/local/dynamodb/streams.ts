import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type DynamoDBClient, type StreamViewType } from '@aws-sdk/client-dynamodb';

/** The stream calls as they are on the wire, without a client of their own. */
type StreamRecord = {
  eventID: string;
  eventName: string;
  eventVersion: string;
  eventSource: string;
  awsRegion: string;
  dynamodb: Record<string, unknown> & { SequenceNumber: string; Keys: { p: { S: string } } };
};
type Shard = {
  ShardId: string;
  SequenceNumberRange: { StartingSequenceNumber: string; EndingSequenceNumber?: string };
};
export type Answers = {
  ListStreams: { Streams: Array<{ StreamArn: string; TableName: string }>; LastEvaluatedStreamArn?: string };
  DescribeStream: {
    StreamDescription: Record<string, unknown> & { StreamArn: string; StreamStatus: string; Shards: Shard[] };
  };
  GetShardIterator: { ShardIterator: string };
  GetRecords: { Records: StreamRecord[]; NextShardIterator?: string };
};
type StreamCall = <A extends keyof Answers>(action: A, input: object) => Promise<Answers[A]>;

class StreamError extends Error {
  readonly status: number;
  constructor(name: string, message: string, status: number) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export function streamsOf(url: string, accessKeyId = 'tester') {
  const call: StreamCall = async (action, input) => {
    const scope = `${accessKeyId}/20261121/us-east-1/dynamodb/aws4_request`;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDBStreams_20120810.${action}`,
        'x-amz-date': '20261121T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=0`,
      },
      body: JSON.stringify(input),
    });
    const body = (await response.json()) as Record<string, unknown>;
    if (response.ok) return body as never;
    throw new StreamError(
      String(body.__type).replace(/^.*#/, ''),
      String(body.message ?? body.Message),
      response.status,
    );
  };
  const describe = async (StreamArn: string) => {
    const { StreamDescription } = await call('DescribeStream', { StreamArn });
    const [shard] = StreamDescription.Shards;
    if (!shard) throw new Error('The stream has no shard');
    return { ...StreamDescription, shard };
  };
  const iterator = async (StreamArn: string, ShardIteratorType = 'TRIM_HORIZON', SequenceNumber?: string) => {
    const { ShardId } = (await describe(StreamArn)).shard;
    const more = SequenceNumber === undefined ? {} : { SequenceNumber };
    return (await call('GetShardIterator', { StreamArn, ShardId, ShardIteratorType, ...more })).ShardIterator;
  };
  const records = async (StreamArn: string, ...from: [type?: string, number?: string]) =>
    (await call('GetRecords', { ShardIterator: await iterator(StreamArn, ...from) })).Records;
  return { call, describe, iterator, records };
}

export async function createStreamed(
  client: DynamoDBClient,
  StreamViewType: StreamViewType = 'NEW_AND_OLD_IMAGES',
): Promise<{ TableName: string; StreamArn: string }> {
  const TableName = `Streamed-${randomUUID()}`;
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['p', 's'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'p', KeyType: 'HASH' },
        { AttributeName: 's', KeyType: 'RANGE' },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType },
    }),
  );
  return { TableName, StreamArn: TableDescription?.LatestStreamArn ?? '' };
}
