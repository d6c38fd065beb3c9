import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { numberIn } from '../../../lib/runtime/documents.ts';
import { hashOfUser, type Line } from '../../../lib/runtime/log.ts';
import { type Objects, putOnce } from '../../../lib/runtime/objects.ts';
import type { TrustedKeys } from '../../../lib/runtime/signed.ts';
import { type Operators, tellFindings } from '../../evidence/exports.ts';
import { skewMs } from '../rules/dating.ts';
import { ownerOf, type StoredRecord, shownText } from '../rules/finding.ts';
import { isDemanded } from '../rules/tombstone.ts';
import type { Judgement, Suspicion, WatchedChange } from '../rules/watched-change.ts';
import { readEnding } from '../stores/endings.ts';

/** The watched table, and the name of its rows. */
export type Watched = {
  readonly judge: (change: WatchedChange, rules: { readonly movedClock: boolean }) => Judgement;
  /** Where suspicious rows are stored. */
  readonly prefix: `${string}/`;
  readonly metric: string;
  /** The message of the log line. */
  readonly message: string;
  /** The subject of the message to people. */
  readonly subject: string;
  readonly runbook: string;
};

export type Watching = {
  readonly evidence: Objects;
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
  readonly now: () => Date;
  readonly operators: Operators;
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
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
  const found: TamperFinding[] = [];
  for (const record of records) {
    const change = changeIn(record);
    const suspicion = await suspicionOf(change, watched, watching, endings);
    if (suspicion) found.push({ eventId: record.eventID ?? '', suspicion, ...keyOf(change), ...change });
  }
  const object = await lay(found, watched, watching);
  for (const { suspicion, userAgreement, recordedAt } of found) {
    const { userId, agreementId } = ownerOf(userAgreement);
    const row = { user: hashOfUser(userId), agreementId, recordedAt, object: suspicion === 'imported' ? null : object };
    watching.log({ level: 'ERROR', message: watched.message, suspicion, ...row }, { [watched.metric]: 1 });
  }
  // An alarm that is already on for one finding, or for an import, does not report the next one.
  const reported = found.filter(({ suspicion }) => suspicion !== 'imported');
  await tellFindings(watching.operators, {
    subject: watched.subject,
    lines: reported.map(({ suspicion, userAgreement, recordedAt, at }) => {
      const { userId, agreementId } = ownerOf(userAgreement);
      return `${at.toISOString()} ${suspicion}: user ${hashOfUser(userId)}, agreement ${shownText(agreementId)}, row of ${shownText(recordedAt)}`;
    }),
    where: `The rows as they were before and after: ${object}. What to do: docs/runbook.md#${watched.runbook}`,
  });
  return null;
}

type TamperFinding = WatchedChange & {
  readonly eventId: string;
  readonly suspicion: Suspicion;
  readonly userAgreement: string;
  readonly recordedAt: string;
};

/** One object for a batch, so that many changes can be stored as fast as they come. Imports are in the log and the manifest. */
async function lay(
  found: readonly TamperFinding[],
  { prefix }: Watched,
  { evidence }: Watching,
): Promise<string | null> {
  const changes = found.filter(({ suspicion }) => suspicion !== 'imported');
  const [first] = changes;
  if (!first) return null;
  const key = `${prefix}${first.at.toISOString()}-${first.eventId}.json`;
  await putOnce(evidence, key, JSON.stringify({ changes }), 'application/json');
  return key;
}

async function suspicionOf(
  change: WatchedChange,
  { judge }: Watched,
  { evidence, keys, operatorKeys, now, retentionYears, graceMs, isHeld, movedClock }: Watching,
  endings: Map<string, ReturnType<typeof readEnding>>,
): Promise<Suspicion | null> {
  const judged = judge(change, { movedClock });
  if (judged.outcome === 'fine') return null;
  if (judged.outcome === 'suspicious') return judged.suspicion;
  const key = keyOf(change).userAgreement;
  const asOf = new Date(now().getTime() + skewMs);
  const reading =
    endings.get(key) ??
    readEnding(evidence, { keys: await keys(), operatorKeys: await operatorKeys(), graceMs }, key, asOf);
  endings.set(key, reading);
  const ending = await reading;
  const expiresAt = Math.floor(Date.parse(ending?.recordsExpireAt ?? '') / 1000);
  const isReleased = ending !== null && isDemanded(ending, retentionYears) && expiresAt === judged.expiresAt;
  if (!isReleased) return 'expires-unreleased';
  return (await isHeld(ownerOf(key).userId)) ? 'expires-under-hold' : null;
}

function changeIn({ dynamodb = {}, userIdentity }: DynamoDBRecord): WatchedChange {
  const row = (image: typeof dynamodb.NewImage): StoredRecord | null =>
    image ? Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainOf(value)])) : null;
  const { type, principalId } = (userIdentity ?? {}) as { type?: string; principalId?: string };
  return {
    before: row(dynamodb.OldImage),
    after: row(dynamodb.NewImage),
    isByTimeToLive: type === 'Service' && principalId === 'dynamodb.amazonaws.com',
    at: new Date((dynamodb.ApproximateCreationDateTime ?? 0) * 1000),
  };
}

function keyOf({ before, after }: WatchedChange) {
  const row = after ?? before ?? {};
  return { userAgreement: String(row.userAgreement), recordedAt: String(row.recordedAt) };
}

/** The types of values that a record has; other values stay as they came, and the row is then reported as not a record. */
function plainOf(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return numberIn(value.N);
  return value.NULL ? null : value;
}
