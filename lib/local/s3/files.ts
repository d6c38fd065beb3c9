import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Version } from './versions.ts';

/**
 * The files of versions: `<bucket>/<sequence>.body` and, after the body is complete, `<sequence>.json`. A put whose
 * version has only the body was never answered.
 */
export type Files = {
  readonly readVersions: (bucket: string) => Promise<Version[]>;
  readonly readBody: (bucket: string, sequence: number) => Promise<Buffer>;
  readonly writeBody: (bucket: string, sequence: number, body: Buffer) => Promise<void>;
  readonly writeVersion: (bucket: string, version: Version) => Promise<void>;
  readonly removeBody: (bucket: string, sequence: number) => Promise<void>;
  readonly remove: (bucket: string, sequence: number) => Promise<void>;
  /** Resolves when all writes have ended. */
  readonly settled: () => Promise<unknown>;
};

export function openFiles(directory: string | undefined): Files {
  return directory === undefined ? inMemory() : onDisk(directory);
}

function inMemory(): Files {
  const bodies = new Map<string, Buffer>();
  const removeBody: Files['removeBody'] = async (bucket, sequence) => {
    bodies.delete(`${bucket}/${sequence}`);
  };
  return {
    readVersions: async () => [],
    readBody: async (bucket, sequence) => bodies.get(`${bucket}/${sequence}`) ?? Buffer.alloc(0),
    writeBody: async (bucket, sequence, body) => {
      bodies.set(`${bucket}/${sequence}`, body);
    },
    writeVersion: async () => undefined,
    removeBody,
    remove: removeBody,
    settled: async () => undefined,
  };
}

function onDisk(directory: string): Files {
  const place = (bucket: string, sequence: number, ending: string) => join(directory, bucket, `${sequence}.${ending}`);
  const removeBody: Files['removeBody'] = (bucket, sequence) => rm(place(bucket, sequence, 'body'), { force: true });
  // One write after the other, so the disk has the order of memory. Otherwise a removed version could come back.
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = tail.then(work);
    tail = done.catch(() => undefined);
    return done;
  };
  return {
    async readVersions(bucket) {
      await mkdir(join(directory, bucket), { recursive: true });
      const names = (await readdir(join(directory, bucket))).filter((name) => /^\d+\.json$/.test(name));
      const read = async (name: string) => JSON.parse(await readFile(join(directory, bucket, name), 'utf8')) as Version;
      return Promise.all(names.map(read));
    },
    readBody: (bucket, sequence) => readFile(place(bucket, sequence, 'body')),
    writeBody: (bucket, sequence, body) => writeFile(place(bucket, sequence, 'body'), body),
    writeVersion: (bucket, version) =>
      inTurn(async () => {
        const temporary = place(bucket, version.sequence, 'tmp');
        await writeFile(temporary, JSON.stringify(version));
        await rename(temporary, place(bucket, version.sequence, 'json'));
      }),
    removeBody,
    remove: (bucket, sequence) =>
      inTurn(async () => {
        await rm(place(bucket, sequence, 'json'), { force: true });
        await removeBody(bucket, sequence);
      }),
    settled: () => tail,
  };
}
