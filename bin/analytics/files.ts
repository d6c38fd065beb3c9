import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/**
 * Writes and reads an export of a table in a folder. It has the form that DynamoDB writes into a bucket (format DYNAMODB_JSON), so the
 * same code reads the exports of a stage and of this machine.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
 */

export type Item = Readonly<Record<string, AttributeValue>>;

type Written = { readonly folder: string; readonly items: number };

type DataFile = {
  readonly itemCount: number;
  readonly md5Checksum: string;
  readonly etag: string;
  readonly dataFileS3Key: string;
};

/** DynamoDB writes a file for each partition. Here a file has at most this number of items, so memory does not grow with the table. */
const itemsInFile = 10_000;

const md5 = (bytes: Uint8Array, encoding: 'base64' | 'hex') => createHash('md5').update(bytes).digest(encoding);

/**
 * @param folder the folder of this table; in a bucket, each table also has its own prefix
 * @param exportId the id of this export; an export with another id is stored beside it
 * @returns the folder of the manifests, and the number of items
 */
export async function writeExport(
  folder: string,
  { exportId, table, now }: { exportId: string; table: string; now: Date },
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<Written> {
  const prefix = `AWSDynamoDB/${exportId}`;
  const root = join(folder, prefix);
  // The rows are about people: other users of this machine must not read them.
  mkdirSync(join(root, 'data'), { recursive: true, mode: 0o700 });
  const write = (name: string, bytes: Uint8Array | string) => writeFileSync(join(root, name), bytes, { mode: 0o600 });
  write('_started', '');
  const files: DataFile[] = [];
  const put = (lines: readonly string[]) => {
    const bytes = gzipSync(lines.join(''), { level: 6 });
    const name = `data/${String(files.length).padStart(6, '0')}.json.gz`;
    write(name, bytes);
    files.push({
      itemCount: lines.length,
      md5Checksum: md5(bytes, 'base64'),
      etag: md5(bytes, 'hex'),
      dataFileS3Key: `${prefix}/${name}`,
    });
  };
  let lines: string[] = [];
  for await (const item of items) {
    lines.push(`${JSON.stringify({ Item: item })}\n`);
    if (lines.length < itemsInFile) continue;
    put(lines);
    lines = [];
  }
  // An empty table has one empty file.
  if (lines.length > 0 || files.length === 0) put(lines);
  const itemCount = files.reduce((sum, file) => sum + file.itemCount, 0);
  const manifest = files.map((file) => `${JSON.stringify(file)}\n`).join('');
  const at = now.toISOString();
  const summary = JSON.stringify({
    version: '2020-06-30',
    exportArn: `arn:aws:dynamodb:local:000000000000:table/${table}/export/${exportId}`,
    startTime: at,
    endTime: at,
    tableArn: `arn:aws:dynamodb:local:000000000000:table/${table}`,
    tableId: table,
    exportTime: at,
    s3Bucket: 'local',
    s3Prefix: null,
    s3SseAlgorithm: 'AES256',
    s3SseKmsKeyId: null,
    manifestFilesS3Key: `${prefix}/manifest-files.json`,
    billedSizeBytes: 0,
    itemCount,
    outputFormat: 'DYNAMODB_JSON',
  });
  // The summary is written last. An export without it is not complete.
  const manifests = { 'manifest-files.json': manifest, 'manifest-summary.json': summary };
  for (const [name, text] of Object.entries(manifests)) {
    write(name.replace('.json', '.checksum'), md5(Buffer.from(text), 'base64'));
    write(name, text);
  }
  return { folder: root, items: itemCount };
}

/**
 * The data files of an export, from its manifests.
 *
 * @param prefix the folder of the table
 * @throws an Error if the export is not complete, or a file differs from its manifest
 */
export function dataFilesOf(prefix: string, exportId: string): string[] {
  const root = join(prefix, 'AWSDynamoDB', exportId);
  const summary = parsed<{ readonly itemCount: number; readonly outputFormat: string }>(
    readFileSync(join(root, 'manifest-summary.json'), 'utf8'),
  );
  if (summary.outputFormat !== 'DYNAMODB_JSON') throw new Error(`${root}: its format is ${summary.outputFormat}`);
  const files = readFileSync(join(root, 'manifest-files.json'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parsed<DataFile>(line));
  let found = 0;
  const paths = files.map(({ itemCount, md5Checksum, dataFileS3Key }) => {
    // A manifest has the keys of objects in a bucket. Here the files are below one folder.
    const path = join(root, 'data', dataFileS3Key.slice(dataFileS3Key.lastIndexOf('/') + 1));
    if (md5(readFileSync(path), 'base64') !== md5Checksum) throw new Error(`${path} is not what its manifest names`);
    found += itemCount;
    return path;
  });
  if (found !== summary.itemCount)
    throw new Error(`${root}: ${found} items, and its summary says ${summary.itemCount}`);
  return paths;
}

function parsed<T>(text: string): T {
  return JSON.parse(text) as T;
}
