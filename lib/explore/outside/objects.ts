import { createHash } from 'node:crypto';
import { type Act, fresh, OutsideFailure, text } from './state.ts';

/** S3: every version of an object. */

export const s3: Record<string, Act> = {
  PutObject: (state, input, now) => {
    const key = `${text(input, 'Bucket')}/${text(input, 'Key')}`;
    const versions = state.objects[key] ?? [];
    if (input.IfNoneMatch === '*' && versions.length > 0) throw new OutsideFailure('PreconditionFailed');
    const id = fresh(state, 'version');
    const body = Buffer.from(input.Body as string | Uint8Array);
    const typed = input.ContentType !== undefined && { contentType: String(input.ContentType) };
    state.objects[key] = [...versions, { id, body, ...typed, at: now }];
    return { VersionId: id, ETag: `"${createHash('md5').update(body).digest('hex')}"` };
  },
  GetObject: (state, input) => {
    const versions = state.objects[`${text(input, 'Bucket')}/${text(input, 'Key')}`] ?? [];
    const found = input.VersionId ? versions.find(({ id }) => id === input.VersionId) : versions.at(-1);
    if (!found) throw new OutsideFailure(input.VersionId ? 'NoSuchVersion' : 'NoSuchKey');
    return {
      Body: {
        transformToByteArray: async () => new Uint8Array(found.body),
        transformToString: async () => Buffer.from(found.body).toString(),
        async *[Symbol.asyncIterator]() {
          yield new Uint8Array(found.body);
        },
      },
      ContentLength: found.body.length,
      ContentType: found.contentType,
      LastModified: new Date(found.at),
      VersionId: found.id,
    };
  },
  HeadObject: (state, input) => {
    const found = (state.objects[`${text(input, 'Bucket')}/${text(input, 'Key')}`] ?? []).at(-1);
    if (!found) throw new OutsideFailure('NotFound');
    return { ContentLength: found.body.length, LastModified: new Date(found.at), VersionId: found.id };
  },
  DeleteObject: (state, input) => {
    delete state.objects[`${text(input, 'Bucket')}/${text(input, 'Key')}`];
    return {};
  },
  PutObjectLegalHold: (state, input) => {
    const key = `${text(input, 'Bucket')}/${text(input, 'Key')}`;
    const hold = (input.LegalHold as { Status?: string } | undefined)?.Status === 'ON';
    state.objects[key] = (state.objects[key] ?? []).map((each) => ({ ...each, hold }));
    return {};
  },
  ListObjectsV2: (state, input) => {
    const bucket = `${text(input, 'Bucket')}/`;
    const Contents = Object.entries(state.objects)
      .filter(([key, versions]) => key.startsWith(bucket + text(input, 'Prefix')) && versions.length > 0)
      .map(([key, versions]) => ({
        Key: key.slice(bucket.length),
        Size: versions.at(-1)?.body.length,
        LastModified: new Date(versions.at(-1)?.at ?? 0),
      }))
      .filter(({ Key }) => Key > text(input, 'StartAfter'))
      .sort((one, other) => (one.Key < other.Key ? -1 : 1));
    return { Contents, KeyCount: Contents.length, IsTruncated: false };
  },
  ListObjectVersions: (state, input) => {
    const bucket = `${text(input, 'Bucket')}/`;
    const prefix = bucket + text(input, 'Prefix');
    const keys = Object.keys(state.objects)
      .filter((key) => key.startsWith(prefix))
      .sort();
    const Versions = keys.flatMap((key) =>
      [...(state.objects[key] ?? [])]
        .reverse()
        .map(({ id, at }) => ({ Key: key.slice(bucket.length), VersionId: id, LastModified: new Date(at) })),
    );
    return { Versions, DeleteMarkers: [], IsTruncated: false };
  },
};
