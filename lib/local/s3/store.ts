import { randomBytes } from 'node:crypto';
import type { BucketModel } from '../model.ts';
import { type Files, openFiles } from './files.ts';
import { type Bucket, type Draft, insert, latest, remove, type Version } from './versions.ts';

/** The buckets of the template, and how their contents change: immediately in memory, and on disk before the answer. */
export type Store = {
  readonly bucket: (name: string) => Bucket | undefined;
  /** Adopts the buckets of another template. Existing buckets stay, with their contents. */
  readonly adopt: (models: readonly BucketModel[]) => Promise<void>;
  /**
   * @param allows throws the reason against the version, immediately before it is stored; gets the version before it
   */
  readonly add: (
    bucket: Bucket,
    draft: Draft,
    body: Buffer,
    allows?: (current: Version | undefined) => void,
  ) => Promise<Version>;
  readonly replace: (bucket: Bucket, version: Version) => Promise<void>;
  readonly remove: (bucket: Bucket, version: Version) => Promise<void>;
  readonly body: (bucket: Bucket, version: Version) => Promise<Buffer>;
  readonly settled: () => Promise<unknown>;
};

export async function openStore(directory: string | undefined, now: () => number): Promise<Store> {
  const files: Files = openFiles(directory);
  const buckets = new Map<string, Bucket>();
  return {
    bucket: (name) => buckets.get(name),
    async adopt(models) {
      for (const model of models) {
        const known = buckets.get(model.name);
        if (known) known.model = model;
        else buckets.set(model.name, await filled(model, files));
      }
    },
    async add(bucket, draft, body, allows) {
      const { name, isVersioned } = bucket.model;
      bucket.sequence += 1;
      const { sequence } = bucket;
      await files.writeBody(name, sequence, body);
      const versionId = isVersioned ? randomBytes(24).toString('base64url') : 'null';
      // Under a KMS key, as this stage's buckets are, an ETag is no MD5, and the same bytes have a different ETag each
      // time.
      const etag = draft.isDeleteMarker ? '' : `"${randomBytes(16).toString('hex')}"`;
      const lastModified = new Date(now()).toISOString();
      const version = { ...draft, versionId, sequence, lastModified, size: body.length, etag };
      try {
        allows?.(latest(bucket, draft.key));
      } catch (error) {
        await files.removeBody(name, sequence);
        throw error;
      }
      // If two writes ran at the same time, the later one stays.
      const replaced = isVersioned ? [] : (bucket.objects.get(draft.key) ?? []).filter(isNull);
      insert(bucket, version);
      for (const old of replaced) remove(bucket, old);
      await files.writeVersion(name, version);
      for (const old of replaced) await files.remove(name, old.sequence);
      return version;
    },
    async replace(bucket, version) {
      remove(bucket, version);
      insert(bucket, version);
      await files.writeVersion(bucket.model.name, version);
    },
    async remove(bucket, version) {
      remove(bucket, version);
      await files.remove(bucket.model.name, version.sequence);
    },
    body: ({ model }, { sequence }) => files.readBody(model.name, sequence),
    settled: files.settled,
  };
}

async function filled(model: BucketModel, files: Files): Promise<Bucket> {
  const bucket: Bucket = { model, objects: new Map(), sequence: 0, uploads: new Map() };
  for (const version of await files.readVersions(model.name)) {
    insert(bucket, version);
    bucket.sequence = Math.max(bucket.sequence, version.sequence);
  }
  return bucket;
}

function isNull({ versionId }: Version): boolean {
  return versionId === 'null';
}
