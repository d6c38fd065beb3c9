import { randomUUID } from 'node:crypto';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { commit, unlessConflict } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { isRefused } from '../../../lib/runtime/failure.ts';
import {
  isKeyedHash,
  keyedDigits,
  keyedHash,
  keyedHashes,
  keyIdIn,
  ringFrom,
} from '../../../lib/runtime/hmac-and-encrypt.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, put, update, updateRow } from '../../../lib/runtime/rows.ts';
import type { CodeRow } from '../rules/code.ts';
import type { Sent } from '../rules/limit.ts';
import type { MailRecords } from '../tables.ts';

/** Table `MailRecords`, and what is made with the secret `MailKey`. */

const addressUse = 'mail address';
const hashUse = 'mail code hash';

/** The rows that count the mails to an address, one for each known key: each of them limits. So replacing a key resets no limit. */
export function sentKeys(secret: KeyRing, address: string): string[] {
  return keyedHashes(secret, addressUse, address).map((hash) => `sent#${hash}`);
}

/** Where it says that an account had the address. */
export function heldKeys(secret: KeyRing, address: string): [string, ...string[]] {
  const [current, ...others] = keyedHashes(secret, addressUse, address);
  return [`held#${current}`, ...others.map((hash) => `held#${hash}`)];
}

/** Where the code of a kind can be, one row for each known key. A new code is in the first, and makes void what is in the others. */
export function codeKeys(secret: KeyRing, kind: string, address: string): [string, ...string[]] {
  const [current, ...others] = keyedHashes(secret, addressUse, address);
  return [`code#${kind}#${current}`, ...others.map((hash) => `code#${kind}#${hash}`)];
}

/** The same mail has the same code each time that the queue brings it, with the same key. @param subject which code of which mail */
export function drawn(secret: KeyRing, subject: string, digits: number): string {
  return keyedDigits(secret, 'mail code', subject, digits);
}

/** The secret with the key first that a row's code was made with. */
export function ringOf(secret: KeyRing, codeHash: string): KeyRing {
  return ringFrom(secret, keyIdIn(codeHash));
}

/** 256 bits, behind the id of the key. */
export function drawnToken(secret: KeyRing, mailId: string): string {
  return keyedHash(secret, 'mail token', mailId);
}

export function hashOfCode(secret: KeyRing, mailRecord: string, code: string): string {
  return keyedHash(secret, hashUse, `${mailRecord}#${code}`);
}

/** @param hash of a row: its code's, or its token's */
export function isCode(secret: KeyRing, hash: string, { mailRecord }: CodeRow, typed: string): boolean {
  return isKeyedHash(secret, hashUse, `${mailRecord}#${typed}`, hash);
}

/** What the rows under the other keys say once a newer code is there. */
export function voided({ tokenHash: _gone, ...row }: CodeRow, mailRecord: string): CodeRow {
  return { ...row, mailRecord, codeHash: '', keep: {}, triesLeft: 0 };
}

/** No row, or one on which nobody can count: the opposite of `isCounting`. */
const isNone =
  'attribute_not_exists(mailRecord) OR NOT attribute_type(mails, :list) OR NOT (revision BETWEEN :one AND :most)';

/** @returns false where another mail to the address was counted meanwhile, or a link that was asked for later was stored */
export async function putCounted(
  table: MailRecords<'put'>,
  { sent, codes }: { sent: readonly Sent[]; codes: readonly CodeRow[] },
): Promise<boolean> {
  const unmoved = (before: number) =>
    before > 0
      ? ifRevision('mailRecord', before)
      : {
          ConditionExpression: isNone,
          ExpressionAttributeValues: { ':list': 'L', ':one': 0.5, ':most': 2 ** 51 + 0.5 },
        };
  const latest = ({ askedAt }: CodeRow) =>
    askedAt === undefined
      ? {}
      : {
          ConditionExpression: 'attribute_not_exists(askedAt) OR askedAt <= :askedAt',
          ExpressionAttributeValues: { ':askedAt': askedAt },
        };
  const items = [
    ...sent.map((row) => put(table, row, unmoved(row.revision - 1))),
    ...codes.map((row) => put(table, row, latest(row))),
  ];
  if (items.length === 0) return true;
  return commit(items);
}

const leaseMs = 60_000;
const dayMs = 86_400_000;

/**
 * The SDK's own repetition after a lost answer finds its own lease.
 *
 * @returns `mine`: nobody else sends it for a minute; `sent`: it is done; `taken`: somebody is at it
 */
export async function claim(
  table: MailRecords<'updateRow'>,
  mailId: string,
  now: Date,
): Promise<'mine' | 'sent' | 'taken'> {
  const claiming = updateRow(
    table,
    { mailRecord: `mail#${mailId}` },
    {
      UpdateExpression: 'SET leasedUntil = :until, leasedBy = :me, expiresAt = :expiresAt',
      ConditionExpression:
        'attribute_not_exists(sentAt) AND (attribute_not_exists(leasedUntil) OR leasedUntil < :now OR leasedBy = :me)',
      ExpressionAttributeValues: {
        ':until': now.getTime() + leaseMs,
        ':now': now.getTime(),
        ':me': randomUUID(),
        ':expiresAt': Math.ceil((now.getTime() + 14 * dayMs) / 1000),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  );
  const claimed = claiming.then(() => 'mine' as const);
  return unlessConflict(claimed, isRefused, ({ Item }) => (Item && 'sentAt' in Item ? 'sent' : 'taken'));
}

export async function markSent(table: MailRecords<'updateRow'>, mailId: string, now: Date): Promise<void> {
  await updateRow(
    table,
    { mailRecord: `mail#${mailId}` },
    { UpdateExpression: 'SET sentAt = :now', ExpressionAttributeValues: { ':now': now.toISOString() } },
  );
}

/** Gives the mail back at once, so that the next attempt need not wait for the lease. */
export async function release(table: MailRecords<'updateRow'>, mailId: string): Promise<void> {
  await updateRow(table, { mailRecord: `mail#${mailId}` }, { UpdateExpression: 'REMOVE leasedUntil' });
}

/** Tries of a code are taken one after the other: of whatever comes at once, five are taken and the rest finds none left. */
const retries = 12;

/**
 * Takes a try before anybody knows whether the code is right.
 *
 * @param isFor whether the row is what was asked for: if not, no try is taken
 * @returns the row that it was taken of; null: there is none, or none is left
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function takeTry(
  table: MailRecords<'get' | 'update'>,
  mailRecords: readonly string[],
  now: Date,
  isFor: (row: CodeRow) => boolean,
): Promise<CodeRow | null> {
  return retryOnContention(
    async () => {
      const rows = await Promise.all(mailRecords.map((key) => get<CodeRow>(table, { mailRecord: key })));
      const row = rows.find((each) => each && each.triesLeft > 0 && each.validUntil > now.toISOString());
      if (!row || !isFor(row)) return null;
      return (await setTries(table, row, row.triesLeft - 1)) ? row : contended;
    },
    { retries },
  );
}

/** After what it was for is done. Where another mail took its place, that one's code stays. */
export async function useUp(table: MailRecords<'get' | 'update'>, taken: CodeRow): Promise<void> {
  await retryOnContention(
    async () => {
      const row = await get<CodeRow>(table, { mailRecord: taken.mailRecord });
      if (row?.mailId !== taken.mailId || row.triesLeft <= 0) return null;
      return (await setTries(table, row, 0)) ? null : contended;
    },
    { retries },
  );
}

/** In a transaction: only there a write is refused once the account is closed. @returns false where the row is not as it was read */
async function setTries(table: MailRecords<'update'>, row: CodeRow, left: number): Promise<boolean> {
  const { mailRecord, mailId, triesLeft } = row;
  const change = {
    UpdateExpression: 'SET triesLeft = :left',
    ConditionExpression: 'mailId = :mailId AND triesLeft = :before',
    ExpressionAttributeValues: { ':left': left, ':mailId': mailId, ':before': triesLeft },
  };
  return commit([update(table, { mailRecord }, change)]);
}

/**
 * Notes which account the code of a sign-up makes.
 *
 * @returns false where another mail took its place
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function noteEnrolled(
  table: MailRecords<'get' | 'update'>,
  { mailRecord, mailId }: CodeRow,
  userId: string,
): Promise<boolean> {
  return retryOnContention(
    async () => {
      const row = await get<CodeRow>(table, { mailRecord });
      if (row?.mailId !== mailId) return false;
      if (row.enrolled === userId) return true;
      const change = {
        UpdateExpression: 'SET enrolled = :userId',
        ConditionExpression: 'mailId = :mailId',
        ExpressionAttributeValues: { ':userId': userId, ':mailId': mailId },
      };
      return (await commit([update(table, { mailRecord }, change)])) || contended;
    },
    { retries },
  );
}

/** Strongly consistent. */
export async function isEnrolled(table: MailRecords<'get'>, taken: CodeRow, userId: string): Promise<boolean> {
  const row = await get<CodeRow>(table, { mailRecord: taken.mailRecord });
  return row?.mailId === taken.mailId && row.enrolled === userId;
}
