import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { orderedId } from '../../agent-board/rules/board.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules/once.ts';
import type { Broadcast } from '../rules/broadcast.ts';
import { putBroadcast, readBroadcast, type Tables } from '../stores/broadcasts.ts';
import { commit } from '../stores/commit.ts';
import { audited, type Occasion } from './occasion.ts';

/**
 * Accepts a broadcast: one transaction, of which the table's stream tells the rest.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; `IDEMPOTENCY_KEY_REUSED`
 */
export async function acceptBroadcast(
  client: DynamoDBDocumentClient,
  tables: Tables & { readonly IdempotencyKeys: string; readonly AuditEvents: string },
  { now, ...draft }: Pick<Broadcast, 'groupId' | 'purpose' | 'title' | 'body' | 'authorId'> & { now: Date },
  { once, ...occasion }: Occasion & { once: Once | null },
): Promise<Broadcast> {
  const { groupId, purpose } = draft;
  const { realNow } = occasion;
  const fresh = (broadcastId: string, createdAt: string): Broadcast => {
    return { ...draft, broadcastId, createdAt, acceptedAt: realNow.toISOString() };
  };
  const broadcast = fresh(orderedId(realNow.getTime(), randomUUID()), now.toISOString());
  const { broadcastId, createdAt } = broadcast;
  return retryOnContention(async (attempt) => {
    const made = await recall(client, tables.IdempotencyKeys, once);
    if (made) return fresh(made.broadcastId ?? '', made.createdAt ?? '');
    // DynamoDB may still have been at the last try when it refused the SDK's repetition of it.
    if (attempt > 0 && (await readBroadcast(client, tables.GroupMessages, broadcast))) return broadcast;
    const isDone = await commit(client, [
      ...putBroadcast(tables, broadcast),
      ...rememberedIn(tables.IdempotencyKeys, once, { broadcastId, createdAt }),
      audited(tables.AuditEvents, occasion, {
        action: 'group.message-sent',
        subject: `group/${groupId}`,
        before: null,
        // Not what it says.
        after: { broadcastId, purpose },
      }),
    ]);
    return isDone ? broadcast : contended;
  });
}
