import { listVersions, type Objects, putOnce } from '../../../lib/runtime/objects.ts';
import { begunPrefix, requestsPrefix } from '../../ledger/buckets.ts';
import { begunBelow, begunKey } from '../../ledger/rules/checkpoint.ts';
import type { Erasure } from '../rules/erasure.ts';

/**
 * What an erasure rests on, outside the tables: that the user asked, below a prefix where only the function of that request
 * puts anything, and that it began, where only the erasing function does. Rows of tables are no evidence: more than one
 * function writes those.
 */

type Request = { readonly userId: string; readonly requestedAt: string };

const requestKey = ({ userId, requestedAt }: Request) => `${requestsPrefix}${userId}/${requestedAt}.json`;
/** Before sign-in is closed: from then on the request can be taken back no more. */
const closingKey = ({ userId, requestedAt }: Request) => `${begunBelow(userId)}${requestedAt}.closing.json`;

/** Repeatable. It goes before the row: a row without it leads to nothing. */
export async function layRequest(bucket: Objects, { userId, requestedAt }: Request): Promise<void> {
  await putOnce(
    bucket,
    requestKey({ userId, requestedAt }),
    JSON.stringify({ userId, requestedAt }),
    'application/json',
  );
}

/** @returns when S3 was given it; null where the user did not ask */
export async function askedAt(bucket: Objects, request: Request): Promise<Date | null> {
  return laidAt(bucket, requestKey(request));
}

export async function layClosing(bucket: Objects, request: Request): Promise<void> {
  await putOnce(bucket, closingKey(request), JSON.stringify(request), 'application/json');
}

export async function isClosingLaid(bucket: Objects, request: Request): Promise<boolean> {
  return (await laidAt(bucket, closingKey(request))) !== null;
}

export async function layBegun(bucket: Objects, { userId, requestedAt }: Request, begunAt: string): Promise<void> {
  const body = JSON.stringify({ userId, requestedAt, begunAt });
  await putOnce(bucket, begunKey(userId, requestedAt), body, 'application/json');
}

export async function isBegunLaid(bucket: Objects, { userId, requestedAt }: Request): Promise<boolean> {
  return (await laidAt(bucket, begunKey(userId, requestedAt))) !== null;
}

/** When the erasure of a user began, by S3's own clock; null where it never did. */
export async function begunAtOf(bucket: Objects, userId: string): Promise<Date | null> {
  const times: Date[] = [];
  for await (const { key, versions } of listVersions(bucket, `${begunPrefix}${userId}/`)) {
    const [oldest] = versions;
    if (oldest && key.endsWith('.begun.json')) times.push(oldest.storedAt);
  }
  return times.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

/** Of a user whose states the table has, requests have a time. */
export function requestOf({ userId, requestedAt }: Erasure): Request | null {
  return requestedAt === null ? null : { userId, requestedAt };
}

async function laidAt(bucket: Objects, wanted: string): Promise<Date | null> {
  for await (const { key, versions } of listVersions(bucket, wanted)) {
    if (key === wanted && versions[0]) return versions[0].storedAt;
  }
  return null;
}
