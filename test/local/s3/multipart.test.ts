import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { started } from './started.ts';

const place = { Bucket: 'plain', Key: 'a/large one' };
const large = Buffer.alloc(5 * 1024 * 1024, 'x');

async function begun(client: S3Client) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, ContentType: 'text/plain' }));
  const part = async (PartNumber: number, Body: Buffer) => {
    const { ETag } = await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body }));
    return { PartNumber, ETag };
  };
  const complete = (Parts: { PartNumber: number; ETag: string | undefined }[]) =>
    client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }));
  const abort = () => client.send(new AbortMultipartUploadCommand({ ...place, UploadId }));
  return { part, complete, abort };
}

const read = async (client: S3Client) => {
  const { Body, ContentType } = await client.send(new GetObjectCommand(place));
  return { body: Buffer.from((await Body?.transformToByteArray()) ?? []), ContentType };
};

test('the parts are one object once they are put together, and nothing before; a part put again counts as it is last', async () => {
  const { client } = await started();
  const { part, complete } = await begun(client);
  const last = await part(2, Buffer.from('end'));
  await part(1, Buffer.from('too small'));
  const first = await part(1, large);
  await expect(read(client)).rejects.toMatchObject({ name: 'NoSuchKey' });
  await complete([first, last]);
  const { body, ContentType } = await read(client);
  expect([body.equals(Buffer.concat([large, Buffer.from('end')])), ContentType]).toEqual([true, 'text/plain']);
  await expect(complete([first, last])).rejects.toMatchObject({ name: 'NoSuchUpload' });
});

test('what S3 refuses: small parts, unknown ones, another order, an upload that was ended', async () => {
  const { client } = await started();
  const { part, complete, abort } = await begun(client);
  const [small, end] = [await part(1, Buffer.from('small')), await part(2, Buffer.from('end'))];
  await expect(complete([small, end])).rejects.toMatchObject({ name: 'EntityTooSmall' });
  await expect(complete([{ PartNumber: 3, ETag: end.ETag }])).rejects.toMatchObject({ name: 'InvalidPart' });
  await expect(complete([{ PartNumber: 1, ETag: end.ETag }])).rejects.toMatchObject({ name: 'InvalidPart' });
  const [first, second] = [await part(1, large), await part(2, large)];
  await expect(complete([second, first])).rejects.toMatchObject({ name: 'InvalidPartOrder' });
  await abort();
  await expect(complete([first, second])).rejects.toMatchObject({ name: 'NoSuchUpload' });
  await expect(read(client)).rejects.toMatchObject({ name: 'NoSuchKey' });
});

test('its parts are as much an object’s writing as a put is; to end it is another action', async () => {
  const asked: string[] = [];
  const { client } = await started({
    authorize: ({ action }) => {
      asked.push(action);
      return undefined;
    },
  });
  const { part, complete } = await begun(client);
  await complete([await part(1, Buffer.from('x'))]);
  await (await begun(client)).abort();
  expect(asked).toEqual(['PutObject', 'PutObject', 'PutObject', 'PutObject', 'AbortMultipartUpload']);
});
