import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

/** The field types that every domain shares (contract section 2). */

const idPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** Ids that would be mistaken for a path segment, and the two that a URL parser removes. */
const reserved = ['me', 'versions', 'receipts', 'agreements', '.', '..'];

/** An id that the service made: 1–64 of `A-Z a-z 0-9 . _ -`. */
export const Id = z.string().check(
  z.regex(idPattern, 'must be 1 to 64 of A-Z a-z 0-9 . _ -'),
  z.refine((id) => !reserved.includes(id), 'is reserved'),
);

/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Timestamp = z.iso.datetime({ precision: 3 });

/** A BCP 47 language tag: `de`, `en-GB`, `zh-Hans-CN`. */
export const Locale = z
  .string()
  .check(
    z.maxLength(35),
    z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a BCP 47 language tag such as en or de-AT'),
  );

/** A SHA-256 in lower-case hexadecimal. */
export const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal'));

/** Which 404 a path parameter of another form answers: it names nothing, so it is not a 400. */
export const notFoundCode = z.registry<{ code: ErrorCode }>();

/** An id in a path; anything that is not an id is answered with `code`. */
export function pathId(code: ErrorCode) {
  const schema = Id.check();
  notFoundCode.add(schema, { code });
  return schema;
}
