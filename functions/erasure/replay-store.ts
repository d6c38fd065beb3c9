import type { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { changeErasure } from './erasure-store.ts';
import { logErasure, loggedErasures } from './log-store.ts';
import { replayed } from './replayed.ts';

/** After tables were restored from a backup: what the log knows of erasures and holds becomes true of the tables again. */

type Place = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly s3: S3Client;
  readonly table: string;
  readonly bucket: string;
};

export type Replayed = { users: number; again: number };

/**
 * Brings each user's state to what table and log know together, and queues anew what was begun; the functions that erase and
 * release do it at their next run. Repeatable, and harmless where nothing was restored.
 *
 * @returns how many users the log knows, and of how many something is done again
 */
export async function replayErasures({ dynamo, s3, table, bucket }: Place): Promise<Replayed> {
  const figures = { users: 0, again: 0 };
  for await (const [userId, logged] of loggedErasures(s3, bucket)) {
    figures.users += 1;
    const after = await changeErasure(dynamo, table, userId, (before) => {
      const known = replayed(before, logged);
      return known && { after: known };
    });
    if (!after) continue;
    if (after.begunAt) figures.again += 1;
    await logErasure(s3, bucket, after);
  }
  return figures;
}
