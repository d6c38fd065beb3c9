import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where Lambda would put into S3 what of a stream was given up. */

export type FailureObject = { readonly bucket: string; readonly key: string; readonly body: string };

export type FailureSink = {
  readonly put: (bucketArn: string, source: string, shardId: string, record: object) => Promise<void>;
  /** Oldest first. */
  readonly objects: () => readonly FailureObject[];
};

/** @param directory Also written there, `<bucket>/<key>`; undefined keeps all in memory. */
export function openFailureSink(directory: string | undefined, now: () => Date): FailureSink {
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
      objects.push({ bucket, key, body });
      if (directory === undefined) return;
      const file = join(directory, bucket, key);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, body);
    },
    objects: () => objects,
  };
}
