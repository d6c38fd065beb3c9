import { HeadObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { keepFile } from '../../functions/learning/stores/course-files.ts';

/** A bucket that answers so where an object is looked for. */
function bucket(status: number) {
  const sent: string[] = [];
  const send = async (command: object) => {
    sent.push(command.constructor.name);
    if (!(command instanceof HeadObjectCommand)) return { VersionId: 'v1' };
    throw new S3ServiceException({ name: 'Unknown', $fault: 'client', $metadata: { httpStatusCode: status } });
  };
  return { place: { s3: { send } as unknown as S3Client, bucket: 'files' }, sent };
}

const file = { bytes: Buffer.from('a'), contentType: 'text/markdown', extension: '.md', sha256: 'a'.repeat(64) };

test.each([
  ['that is not there', 404],
  ['that the bucket does not tell of, as it is not found clean', 403],
])('a file %s is put', async (_case, status) => {
  const { place, sent } = bucket(status);
  expect(await keepFile(place, file)).toMatchObject({ objectVersionId: 'v1' });
  expect(sent).toEqual(['HeadObjectCommand', 'PutObjectCommand']);
});

test('nothing is put where S3 fails', async () => {
  const { place, sent } = bucket(500);
  await expect(keepFile(place, file)).rejects.toThrow(S3ServiceException);
  expect(sent).toEqual(['HeadObjectCommand']);
});
