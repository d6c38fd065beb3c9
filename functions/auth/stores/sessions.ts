import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tokens } from '../../../lib/contract/tokens.ts';
import { isContention } from '../../../lib/runtime/failure.ts';
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
  sealedToken: string;
  /** Absent while it lives. */
  endedAt?: string;
};

type Client = DynamoDBDocumentClient;
type Key = Pick<SessionRow, 'userId' | 'sessionId'>;

const use = 'refresh token';

function placeOf({ userId, sessionId }: Key): string {
  return `${userId}#${sessionId}`;
}

export function tokenOf(secret: string, row: SessionRow): string {
  return unseal(secret, use, row.sealedToken, placeOf(row));
}

type Renewal = {
  readonly secret: string;
  readonly refreshToken: string;
  readonly now: Date;
  /** Undefined: as it was. */
  readonly appVersion?: string | undefined;
  readonly device?: string | null | undefined;
};

/**
 * A session that begins, or has a new refresh token.
 *
 * @returns false where it was ended: then the token is not to be handed out
 */
export async function keepSession(client: Client, table: string, of: TokenSession, renewal: Renewal): Promise<boolean> {
  const { secret, refreshToken, now, appVersion = null, device = null } = renewal;
  const said = (name: string, value: string | null) =>
    value === null ? `${name} = if_not_exists(${name}, :nothing)` : `${name} = :${name}`;
  const { userId, sessionId } = of;
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { userId, sessionId },
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
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

/** Strongly consistent. */
export async function readSession(client: Client, table: string, Key: Key): Promise<SessionRow | null> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (Item as SessionRow | undefined) ?? null;
}

/** Those that live, of which a user has few; strongly consistent, by id. */
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
    try {
      // In a transaction: only there a write is refused once the account is closed.
      await client.send(new TransactWriteCommand({ TransactItems: [{ Update }] }));
      return row;
    } catch (error) {
      if (isContention(error)) return contended;
      throw error;
    }
  });
}

/** After the user pool has ended all of them, which covers what is renewed meanwhile. */
export async function endAllSessions(client: Client, table: string, userId: string, now: Date): Promise<void> {
  for (const { sessionId } of await liveSessions(client, table, userId)) {
    await markEnded(client, table, { userId, sessionId }, now);
  }
}
