import { randomUUID } from 'node:crypto';

/** Stores stream batches that were given up, as Lambda does in S3. */

export type FailureObject = { readonly bucket: string; readonly key: string; readonly body: string };

export type PutObject = (bucket: string, key: string, body: Buffer, contentType: string) => Promise<void>;

export type FailureSink = {
  readonly put: (bucketArn: string, source: string, shardId: string, record: object) => Promise<void>;
  /** The objects since the start, oldest first. */
  readonly objects: () => readonly FailureObject[];
};

export function openFailureSink(putObject: PutObject, now: () => Date): FailureSink {
  const objects: FailureObject[] = [];
  return {
    async put(bucketArn, source, shardId, record) {
      const bucket = bucketArn.replace(/^arn:aws:s3:::/, '');
      const time = now().toISOString();
      // https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
      const moment = time.slice(0, 19).replaceAll(':', '.');
      const day = time.slice(0, 10).replaceAll('-', '/');
      const key = `aws/lambda/${source.replaceAll('/', '-')}/${shardId}/${day}/${moment}-${randomUUID()}`;
      const body = JSON.stringify(record);
      await putObject(bucket, key, Buffer.from(body), 'application/json');
      objects.push({ bucket, key, body });
    },
    objects: () => objects,
  };
}
