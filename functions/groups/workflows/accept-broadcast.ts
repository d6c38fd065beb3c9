import { randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { orderedId } from '../../agent-board/rules.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { groupMessageSent } from '../audit-actions.ts';
import type { Broadcast } from '../rules/broadcast.ts';
import { mostUnderWay, stillUnderWay } from '../rules/under-way.ts';
import { type MadeBroadcastTables, putBroadcast, readProgressOf } from '../stores/broadcasts.ts';
import { putUnderWay, readGroup, readUnderWay } from '../stores/groups.ts';
import type { GroupMessageParts, Groups } from '../tables.ts';

type Draft = Pick<Broadcast, 'groupId' | 'purpose' | 'title' | 'body' | 'authorId'> & { readonly now: Date };

/**
 * Accepts a broadcast in one transaction; the table's stream starts the rest. The same key gives the same answer, also
 * when the group is gone meanwhile.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; `IDEMPOTENCY_KEY_REUSED`
 */
export async function acceptBroadcast(
  tables: MadeBroadcastTables & {
    readonly GroupMessageParts: GroupMessageParts<'batchGet'>;
    readonly Groups: Groups<'get' | 'update'>;
    readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  },
  { now, ...draft }: Draft,
  { once, ...occasion }: AuditOccasion & { once: Once | null },
): Promise<Broadcast | 'no-group' | 'no-boards' | 'too-many'> {
  const { groupId, purpose } = draft;
  const { realNow } = occasion;
  const fresh = (broadcastId: string, createdAt: string): Broadcast => {
    return { ...draft, broadcastId, createdAt, acceptedAt: realNow.toISOString() };
  };
  const broadcast = fresh(orderedId(realNow.getTime(), randomUUID()), now.toISOString());
  const { broadcastId, createdAt } = broadcast;
  return retryOnContention(async () => {
    const [made, group, known] = await Promise.all([
      recall(tables.IdempotencyKeys, once),
      readGroup(tables.Groups, groupId),
      readUnderWay(tables.Groups, groupId),
    ]);
    if (made) return fresh(made.broadcastId ?? '', made.createdAt ?? '');
    if (!group) return 'no-group';
    if (group.kind === 'staff') return 'no-boards';
    // The two were read at once: the group was made or deleted between them.
    if (!known) return contended;
    const ids = known.messages.map((each) => each.broadcastId);
    const progress = await readProgressOf(tables.GroupMessageParts, ids);
    const underWay = stillUnderWay(known.messages, progress, realNow);
    if (underWay.length >= mostUnderWay) return 'too-many';
    const isDone = await commit([
      ...putBroadcast(tables, broadcast),
      putUnderWay(tables.Groups, groupId, known, [...underWay, broadcast]),
      ...rememberedIn(tables.IdempotencyKeys, once, { broadcastId, createdAt }),
      audited(tables.AuditEvents, occasion, {
        action: groupMessageSent,
        subject: `group/${groupId}`,
        before: null,
        // Not what it says.
        after: { broadcastId, purpose },
      }),
    ]);
    return isDone ? broadcast : contended;
  });
}
