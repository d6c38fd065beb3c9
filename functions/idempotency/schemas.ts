import * as z from 'zod/mini';
import { append, get } from '../../lib/contract/uses.ts';
import { IdempotencyKeys } from './tables.ts';

/** What a route declares that creates something and takes the key. */

/** A string of RFC 8941, in quotes, or the same without them: 1 to 255 visible characters, neither `"` nor `\`. */
const IdempotencyKey = z.string().check(
  z.regex(
    /^("[!#-[\]-~]{1,255}"|[!#-[\]-~]{1,255})$/,
    'must be 1 to 255 visible characters of ASCII, with or without quotes around them',
  ),
  z.overwrite((text) => text.replace(/^"(.*)"$/, '$1')),
);

export const idempotencyHeaders = z.object({ 'idempotency-key': z.optional(IdempotencyKey) });

export const idempotencyUses = [get(IdempotencyKeys), append(IdempotencyKeys)] as const;

/** A route's description, and what the key does. A call, since esbuild keeps a sum of strings in every bundle of its file. */
export function withKeyNote(description: string): string {
  return `${description} With an \`Idempotency-Key\`, a request that the caller repeats within a day creates nothing and gets the first answer.`;
}
