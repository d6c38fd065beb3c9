import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoints } from './stream-poller.ts';

/** How far each shard was read, for each event-source mapping. @param dataDir undefined keeps it in memory */
export function openCheckpoints(dataDir: string | undefined): (source: string) => Checkpoints {
  const file = dataDir && join(dataDir, 'event-sources.json');
  const stored = file ? readStored(file) : {};
  let writing = Promise.resolve();
  return (source) => ({
    read: (shardId) => stored[`${source} ${shardId}`],
    write: (shardId, sequenceNumber) => {
      stored[`${source} ${shardId}`] = sequenceNumber;
      if (file) {
        writing = writing.then(async () => {
          await writeFile(`${file}.new`, JSON.stringify(stored));
          await rename(`${file}.new`, file);
        });
      }
      return writing;
    },
  });
}

function readStored(file: string): Record<string, string> {
  mkdirSync(join(file, '..'), { recursive: true });
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
