/** The form of the ids that the service makes (`Id` in fields.ts). */
export const idPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** Ids that look like a path segment of ours, and the two that a URL parser removes. */
const reserved = ['me', 'versions', 'receipts', 'agreements', '.', '..'];

export function isReserved(id: string): boolean {
  return reserved.includes(id);
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value) && !isReserved(value);
}

/**
 * Whether a row has an id there: whoever may write a row may write anything. A number of many digits is read as a text, and
 * no key or condition finds it the same.
 */
export function isIdInRow(value: unknown): value is string {
  return isId(value) && Number.isNaN(Number(value));
}
