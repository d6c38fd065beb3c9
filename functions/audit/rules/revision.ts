/** What is administered as a whole: read with its ETag, and replaced on the condition that nobody has replaced it since. */

/** Of a row that carries `revision`, which counts its changes from 1. */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}

/**
 * Whether a write that is conditional on a state may go ahead (RFC 9110 section 13.1): `If-Match` names the revision that
 * was read, `If-None-Match: *` is for the first one. `If-Match: *` names none and would undo others' work, so it counts
 * as missing.
 *
 * @param revision the current one, 0 where nothing is stored yet
 * @throws an Error for one that no honest write leaves: it would refuse each change for ever, and no alarm would ring
 */
export function preconditionOf(
  revision: number,
  { ifMatch, ifNoneMatch }: { ifMatch: string | undefined; ifNoneMatch: string | undefined },
): 'missing' | 'failed' | 'holds' {
  if (!Number.isSafeInteger(revision) || revision < 0) throw new Error('the row has no revision');
  const isFirst = ifNoneMatch?.trim() === '*';
  const names = ifMatch !== undefined && ifMatch.trim() !== '*';
  if (!names) return isFirst ? (revision === 0 ? 'holds' : 'failed') : 'missing';
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return revision > 0 && !isFirst && tags.includes(etagOf(revision)) ? 'holds' : 'failed';
}

/**
 * Whether `If-Match` names the revision before the current one. Where the current one says all that a change asks for, the change has been
 * made: its answer was lost, and it comes again. RFC 9110 section 13.1.1 lets it be answered as the first time.
 */
export function isFromBefore(revision: number, ifMatch: string | undefined): boolean {
  return revision > 0 && preconditionOf(revision - 1, { ifMatch, ifNoneMatch: undefined }) === 'holds';
}

/** What an audit event says of a change: the fields that differ in `after`, with the old and the new value. */
export function changedFields(
  before: Readonly<Record<string, unknown>> | null,
  after: object,
): { before: Record<string, unknown> | null; after: Record<string, unknown> } {
  // Their fields stand in the order of one schema, so that text compares them.
  const isChanged = ([field, value]: [string, unknown]) => JSON.stringify(before?.[field]) !== JSON.stringify(value);
  const changed = Object.entries(after).filter(isChanged);
  return {
    before: before && Object.fromEntries(changed.map(([field]) => [field, before[field] ?? null])),
    after: Object.fromEntries(changed),
  };
}
