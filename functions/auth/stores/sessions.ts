import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tokens } from '../../../lib/contract/tokens.ts';
import { commit, unlessOvertaken, wasFirst } from '../../../lib/runtime/commit.ts';
import { isRefused } from '../../../lib/runtime/failure.ts';
import { seal, unseal } from '../../../lib/runtime/keyed.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { TokenSession } from '../rules/token-session.ts';

/** Table `Sessions`. */

export type SessionRow = {
  userId: string;
  sessionId: string;
  /** ISO 8601; real time, as are all here. */
  createdAt: string;
  renewedAt: string;
  appVersion: string | null;
  device: string | null;
  /** The refresh token that was handed out last. */
  sealedToken: string;
  /** Others that may still renew: of renewals at the same moment each has its own. */
  siblings?: Set<string>;
  /** Absent while it lives. */
  endedAt?: string;
};

type Client = DynamoDBDocumentClient;
type Key = Pick<SessionRow, 'userId' | 'sessionId'>;

const use = 'refresh token';

function placeOf({ userId, sessionId }: Key): string {
  return `${userId}#${sessionId}`;
}

/** All refresh tokens of a session that may still renew it. */
export function tokensOf(secret: string, row: SessionRow): string[] {
  return [row.sealedToken, ...(row.siblings ?? [])].map((sealed) => unseal(secret, use, sealed, placeOf(row)));
}

type Renewal = {
  readonly secret: string;
  readonly refreshToken: string;
  /** The refresh token that was presented; null at a sign-in. */
  readonly presented: string | null;
  readonly now: Date;
  /** Undefined: as it was. */
  readonly appVersion?: string | undefined;
  readonly device?: string | null | undefined;
};

/** Of renewals of one token within its grace so many are kept; the token of a further one is revoked. */
const mostSiblings = 20;

/**
 * A session that begins, or has a new refresh token. A token that another renewal was given at the same moment stays in the row.
 *
 * @returns `isKept` false where the session was ended: then the token is not to be handed out. `toRevoke`: for which there was no place
 */
export async function keepSession(
  client: Client,
  table: string,
  of: TokenSession,
  renewal: Renewal,
): Promise<{ isKept: boolean; toRevoke: string[] }> {
  const { secret, refreshToken, now, appVersion = null, device = null } = renewal;
  const said = (name: string, value: string | null) =>
    value === null ? `${name} = if_not_exists(${name}, :nothing)` : `${name} = :${name}`;
  const { userId, sessionId } = of;
  const keeping = new UpdateCommand({
    TableName: table,
    Key: { userId, sessionId },
    ReturnValues: 'UPDATED_OLD',
    UpdateExpression: [
      'SET createdAt = if_not_exists(createdAt, :createdAt)',
      'renewedAt = :now',
      'sealedToken = :token',
      'expiresAt = :expiresAt',
      said('appVersion', appVersion),
      said('device', device),
    ].join(', '),
    ConditionExpression: 'attribute_not_exists(endedAt)',
    ExpressionAttributeValues: {
      ':createdAt': of.signedInAt,
      ':now': now.toISOString(),
      ':token': seal(secret, use, refreshToken, placeOf(of)),
      ':expiresAt': Math.ceil(Date.parse(of.signedInAt) / 1000) + (tokens.refreshDays + 1) * 86_400,
      ...(appVersion !== null && { ':appVersion': appVersion }),
      ...(device !== null && { ':device': device }),
      ...((appVersion === null || device === null) && { ':nothing': null }),
    },
  });
  const kept = await unlessOvertaken(client.send(keeping), isRefused, () => null);
  if (!kept) return { isKept: false, toRevoke: [] };
  const sealed = kept.Attributes?.sealedToken as string | undefined;
  const before = sealed === undefined ? null : unseal(secret, use, sealed, placeOf(of));
  if (sealed === undefined || before === null || before === renewal.presented) return { isKept: true, toRevoke: [] };
  return { isKept: true, toRevoke: (await keepSibling(client, table, of, sealed)) ? [] : [before] };
}

/** @returns false where the session was ended meanwhile, or has too many */
async function keepSibling(client: Client, TableName: string, Key: Key, sealed: string): Promise<boolean> {
  const adding = new UpdateCommand({
    TableName,
    Key: { userId: Key.userId, sessionId: Key.sessionId },
    UpdateExpression: 'ADD siblings :sealed',
    ConditionExpression: 'attribute_not_exists(endedAt) AND (attribute_not_exists(siblings) OR size(siblings) < :most)',
    ExpressionAttributeValues: { ':sealed': new Set([sealed]), ':most': mostSiblings },
  });
  return wasFirst(client.send(adding));
}

/** Strongly consistent. */
export async function readSession(client: Client, table: string, Key: Key): Promise<SessionRow | null> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (Item as SessionRow | undefined) ?? null;
}

/** Sessions that have not ended; a user has few. Strongly consistent, by id. */
export async function liveSessions(client: Client, table: string, userId: string): Promise<SessionRow[]> {
  const rows = await queryAll<SessionRow>(client, {
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
    ConsistentRead: true,
  });
  const oldest = new Date(Date.now() - tokens.refreshDays * 86_400_000).toISOString();
  return rows.filter(({ endedAt, createdAt }) => endedAt === undefined && createdAt > oldest);
}

/**
 * From then on no renewal keeps a token of it. Who renews at the same time either came before, and the row that is returned has
 * that token, or is refused.
 *
 * @returns null where there is none
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function markEnded(client: Client, TableName: string, Key: Key, now: Date): Promise<SessionRow | null> {
  return retryOnContention(async () => {
    const row = await readSession(client, TableName, Key);
    if (!row || row.endedAt !== undefined) return row;
    const Update = {
      TableName,
      Key,
      UpdateExpression: 'SET endedAt = :now',
      ConditionExpression: 'sealedToken = :token AND attribute_not_exists(endedAt)',
      ExpressionAttributeValues: { ':now': now.toISOString(), ':token': row.sealedToken },
    };
    // In a transaction: only there a write is refused once the account is closed.
    return (await commit(client, [{ Update }])) ? row : contended;
  });
}

/** Whether one that began before that time has not ended. */
export async function isSessionLeft(client: Client, table: string, userId: string, before: Date): Promise<boolean> {
  const live = await liveSessions(client, table, userId);
  return live.some(({ createdAt }) => createdAt < before.toISOString());
}

/** @returns those that lived, as they were */
export async function endAllSessions(
  client: Client,
  table: string,
  userId: string,
  now: Date,
): Promise<readonly SessionRow[]> {
  const live = await liveSessions(client, table, userId);
  for (const { sessionId } of live) await markEnded(client, table, { userId, sessionId }, now);
  return live;
}

/** The pool dates a sign-in, by its own clock and in whole seconds. */
const skewMs = 60_000;

/**
 * Ends all sessions in the user pool, and then in the list: after a crash in between the list shows sessions that cannot renew, which
 * is safe. A sign-in between the two gets a token that still renews, while its row is marked. The pool then ends all once more.
 *
 * @param signOut ends all sessions in the user pool
 */
export async function endInPoolAndList(
  client: Client,
  table: string,
  userId: string,
  signOut: () => Promise<void>,
): Promise<void> {
  const since = new Date(Date.now() - skewMs).toISOString();
  await signOut();
  const ended = await endAllSessions(client, table, userId, new Date());
  if (ended.some(({ createdAt }) => createdAt >= since)) await signOut();
}
