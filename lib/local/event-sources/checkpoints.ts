import { join } from 'node:path';
import { readKept, writeKept } from '../kept-file.ts';
import type { Checkpoints } from './stream-poller.ts';

/** How far each shard was read, for each event-source mapping. @param dataDir undefined keeps it in memory */
export function openCheckpoints(dataDir: string | undefined): (source: string) => Checkpoints {
  const file = dataDir && join(dataDir, 'event-sources.json');
  const stored = readKept<Record<string, string>>(file, {});
  return (source) => ({
    read: (shardId) => stored[`${source} ${shardId}`],
    write: (shardId, sequenceNumber) => {
      stored[`${source} ${shardId}`] = sequenceNumber;
      if (file) writeKept(file, JSON.stringify(stored));
    },
  });
}
