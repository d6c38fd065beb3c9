import type { DynamoDBRecord } from 'aws-lambda';
import { hashOfUser } from '../../../lib/runtime/log.ts';
import type { TrustedKeys } from '../../../lib/runtime/signed.ts';
import {
  changeIn,
  type Reporting,
  reportTampering,
  type Tampering,
  type WatchedTable,
} from '../../evidence/exports.ts';
import { type RowChange, type StoredRow, shownText, skewMs } from '../../evidence/rules.ts';
import { ownerOf } from '../rules/finding.ts';
import { isDemanded } from '../rules/tombstone.ts';
import type { Judgement, Suspicion } from '../rules/watched-change.ts';
import { isOfChain } from '../rules/watched-pointer.ts';
import { readEnding } from '../stores/endings.ts';

/** The watched table, and the name of its rows. */
export type Watched = WatchedTable & {
  readonly judge: (change: RowChange, rules: { readonly movedClock: boolean }) => Judgement;
};

export type Watching = Reporting & {
  /** Of tombstones. */
  readonly keys: () => Promise<TrustedKeys>;
  /** Of operators, who say which tombstones count for nothing. */
  readonly operatorKeys: () => Promise<TrustedKeys>;
  readonly movedClock: boolean;
  readonly retentionYears: number;
  /** The time between the request of an erasure and its beginning, both as dated by S3. */
  readonly graceMs: number;
  /** No record of a user is released under a legal hold. */
  readonly isHeld: (userId: string) => Promise<boolean>;
  /** The pointer of a new record's chain, and the record behind it. Absent for a table whose rows have none. */
  readonly besides?: (
    owner: { readonly userId: string; readonly agreementId: string },
    recordedAt: string,
  ) => Promise<{ readonly pointer: StoredRow | null; readonly next: StoredRow | null }>;
  /** Of a new row whose form is right: whether its content is what our function would have written. */
  readonly isGenuine?: (row: StoredRow) => Promise<boolean>;
  readonly now: () => Date;
};

/**
 * Examines each change of a table of the ledger. For forbidden changes it first stores the rows before and after where
 * nobody can remove them. Then it counts each, which raises the alarm.
 *
 * @throws if the bucket or the key cannot be reached; the batch comes again, and an object is stored only once
 */
export async function watchChanges(
  records: readonly DynamoDBRecord[],
  watched: Watched,
  watching: Watching,
): Promise<null> {
  const endings = new Map<string, ReturnType<typeof readEnding>>();
  const found: Tampering[] = [];
  for (const record of records) {
    const change = changeIn(record);
    const suspicion = await suspicionOf(change, watched, watching, endings);
    if (suspicion) found.push(tamperingOf(record.eventID ?? '', suspicion, change));
  }
  await reportTampering(found, watched, watching);
  return null;
}

function tamperingOf(eventId: string, suspicion: Suspicion, change: RowChange): Tampering {
  const key = keyOf(change);
  const { userId, agreementId } = ownerOf(key.userAgreement);
  return {
    eventId,
    suspicion,
    at: change.at,
    kept: { ...key, ...change },
    ...shownRow(userId, agreementId, key.recordedAt),
    // There may be a hundred thousand of them; they are in the log and the manifest.
    isExpected: suspicion === 'imported',
  };
}

/** How a row of the ledger is named in the log and in messages: an attacker chose its texts. */
export function shownRow(userId: string, agreement: string, time: string): Pick<Tampering, 'row' | 'says'> {
  const [user, agreementId, recordedAt] = [hashOfUser(userId), shownText(agreement), shownText(time)];
  return {
    row: { user, agreementId, recordedAt },
    says: `user ${user}, agreement ${agreementId}, row of ${recordedAt}`,
  };
}

async function suspicionOf(
  change: RowChange,
  { judge }: Watched,
  watching: Watching,
  endings: Map<string, ReturnType<typeof readEnding>>,
): Promise<Suspicion | null> {
  const { retentionYears, isHeld, isGenuine, besides, movedClock } = watching;
  const judged = judge(change, { movedClock });
  const key = keyOf(change).userAgreement;
  if (judged.outcome === 'fine' || (judged.outcome === 'suspicious' && judged.suspicion === 'imported')) {
    const { after } = change;
    if (after && (await isGenuine?.(after)) === false) return 'forged';
    const found = after && (await besides?.(ownerOf(key), String(after.recordedAt)));
    const own = judged.outcome === 'fine' ? null : judged.suspicion;
    if (!after || !found || isOfChain(after, found.pointer, found.next)) return own;
    // The pointers of a chain that is released are deleted; nothing is recorded after its release.
    const ending = found.pointer === null ? await endingOf(key, watching, endings) : null;
    return ending && (movedClock || String(after.recordedAt) <= ending.releasedAt) ? own : 'no-pointer';
  }
  if (judged.outcome === 'suspicious') return judged.suspicion;
  const ending = await endingOf(key, watching, endings);
  const expiresAt = Math.floor(Date.parse(ending?.recordsExpireAt ?? '') / 1000);
  const isReleased = ending !== null && isDemanded(ending, retentionYears) && expiresAt === judged.expiresAt;
  if (!isReleased) return 'expires-unreleased';
  return (await isHeld(ownerOf(key).userId)) ? 'expires-under-hold' : null;
}

async function endingOf(
  key: string,
  { evidence, keys, operatorKeys, graceMs, now }: Watching,
  endings: Map<string, ReturnType<typeof readEnding>>,
): ReturnType<typeof readEnding> {
  const asOf = new Date(now().getTime() + skewMs);
  const reading =
    endings.get(key) ??
    readEnding(evidence, { keys: await keys(), operatorKeys: await operatorKeys(), graceMs }, key, asOf);
  endings.set(key, reading);
  return reading;
}

function keyOf({ before, after }: RowChange) {
  const row = after ?? before ?? {};
  return { userAgreement: String(row.userAgreement), recordedAt: String(row.recordedAt) };
}
