import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { ConsentStates } from '../../access/consent-states.ts';
import { type Leaf, leafOf, shardOf } from '../rules/leaf.ts';

/** The table `ConsentStates`, which the domain consents writes: the head of every chain. */

/** So many at once; four keep one function's processor busy. */
const segments = 4;
/** Much less than a page's megabyte, so that it arrives within the client's one-second limit. */
const pageSize = 1000;

/**
 * The leaves of all chains by shard, some 200 bytes each. A pointer that changes meanwhile is read before or after the
 * change: both are records of the chain.
 *
 * @returns the leaves by shard, and the number of pointers that cannot be signed
 */
export async function scanLeaves(
  table: ConsentStates<'scan'>,
): Promise<{ byShard: Map<string, Leaf[]>; unreadable: number }> {
  const byShard = new Map<string, Leaf[]>();
  let unreadable = 0;
  const scan = async (Segment: number) => {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await table.client.send(
        new ScanCommand({
          TableName: table.name,
          Segment,
          TotalSegments: segments,
          Limit: pageSize,
          ConsistentRead: true,
          ProjectionExpression: 'userId, agreementId, #sequence, #hash',
          ExpressionAttributeNames: { '#sequence': 'sequence', '#hash': 'hash' },
          ExclusiveStartKey,
        }),
      );
      for (const item of page.Items ?? []) {
        const leaf = leafOf(item);
        if (!leaf) {
          unreadable += 1;
          continue;
        }
        const shard = shardOf(leaf.userAgreement);
        const leaves = byShard.get(shard) ?? [];
        leaves.push(leaf);
        byShard.set(shard, leaves);
      }
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => scan(segment)));
  return { byShard, unreadable };
}
