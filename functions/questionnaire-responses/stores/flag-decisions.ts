import { randomUUID } from 'node:crypto';
import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { put, remove } from '../../../lib/runtime/rows.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditOccasion, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { questionnaireFlagAcknowledged, questionnaireFlagEnded } from '../audit-actions.ts';
import { type Flag, type FlagOutcome, outcomeOn } from '../rules/flag.ts';
import { decisionsBetween } from '../rules/flag-decision.ts';
import type { FlagDecisions, QuestionnaireFlags } from '../tables.ts';
import { decisionItems } from './decision-rows.ts';
import { flagKey, listKey, readFlag, stillUndecided, unclearedKey } from './flag-rows.ts';

/** What staff decide about a flag. Each decision is one transaction of its own row, the flag's rows and the audit event. */

type FlagTables = {
  readonly QuestionnaireFlags: QuestionnaireFlags<'get' | 'put' | 'remove'>;
  readonly FlagDecisions: FlagDecisions<'put'>;
  readonly AuditEvents: AuditEvents<'put'>;
};

type Deciding = {
  readonly flagId: string;
  readonly now: Date;
  readonly occasion: AuditOccasion;
};

/** @returns the flag, with the person who acknowledged it first; null if there is none */
export async function acknowledge(tables: FlagTables, { flagId, now, occasion }: Deciding): Promise<Flag | null> {
  return retryOnContention(async () => {
    const flag = await readFlag(tables.QuestionnaireFlags, flagId);
    if (!flag || flag.acknowledgedAt !== null) return flag;
    const after = acknowledged(flag, now, occasion.actor);
    const audit = { action: questionnaireFlagAcknowledged, after: { acknowledgedAt: after.acknowledgedAt } };
    return (await commit(replacing(tables, flag, after, { ...audit, occasion }))) ? after : contended;
  });
}

export type Ended = { readonly flag: Flag | null; readonly isRefused: boolean };

/**
 * Records how a flag ended. A flag that nobody has acknowledged is acknowledged by the same person. The same outcome is
 * recorded once.
 *
 * @param deciding `userId`: whose flag it must be
 */
export async function endFlag(
  tables: FlagTables,
  {
    flagId,
    userId,
    outcome,
    now,
    occasion,
  }: Deciding & { readonly userId?: string | undefined; readonly outcome: FlagOutcome },
): Promise<Ended> {
  return retryOnContention<Ended>(async () => {
    const flag = await readFlag(tables.QuestionnaireFlags, flagId);
    if (!flag || (userId !== undefined && flag.userId !== userId)) return { flag: null, isRefused: false };
    const verdict = outcomeOn(flag, outcome);
    if (verdict !== 'recorded') return { flag, isRefused: verdict === 'refused' };
    const seen = flag.acknowledgedAt === null ? acknowledged(flag, now, occasion.actor) : flag;
    const after = { ...seen, outcome, endedAt: now.toISOString(), endedBy: occasion.actor };
    const audit = { action: questionnaireFlagEnded, after: { outcome, endedAt: after.endedAt } };
    const isWritten = await commit(replacing(tables, flag, after, { ...audit, occasion }));
    return isWritten ? { flag: after, isRefused: false } : contended;
  });
}

function acknowledged(flag: Flag, now: Date, by: string): Flag {
  return { ...flag, acknowledgedAt: now.toISOString(), acknowledgedBy: by };
}

type Audited = Pick<Deciding, 'occasion'> & { readonly action: AuditAction; readonly after: Record<string, unknown> };

/** Not if an erasure has deleted the flag in the meantime, and not if somebody else was faster. */
function replacing(tables: FlagTables, before: Flag, after: Flag, { action, after: said, occasion }: Audited): Items {
  const table = tables.QuestionnaireFlags;
  const { flagId } = before;
  const audit = auditEvent({
    ...occasion,
    ...{ action, subject: `questionnaire-flag/${flagId}`, before: null, after: said, random: randomUUID() },
  });
  const [open, uncleared] = [unclearedKey(before), unclearedKey(after)];
  const isMoved = open.name !== uncleared.name;
  return [
    put(table, { ...flagKey(flagId), ...after }, stillUndecided(before)),
    remove(table, listKey(before)),
    put(table, { ...listKey(after), ...after }),
    ...(isMoved || after.outcome === 'cleared' ? [remove(table, open)] : []),
    ...(isMoved && after.outcome !== 'cleared' ? [put(table, uncleared)] : []),
    ...decisionItems(tables.FlagDecisions, after.userId, decisionsBetween(before, after)),
    auditPut(tables.AuditEvents, audit),
  ];
}
