import { mostRevisions, revisionOf } from '../contract/revision.ts';
import { numberIn } from './documents.ts';
import type { On } from './rows.ts';

/**
 * Conditions of writes by their names: `ifAbsent` of a new row, `ifRevision` of rows that count their changes (`ifStill` where the row must
 * still be there), `ifUnchanged` of single attributes (`ifAsRead` where some may be lacking), `ifChangeIs` of rows that name each change.
 * One by hand is for what these do not say.
 */

/** There is no row. @param key an attribute of the table's key */
export function ifAbsent(key: string) {
  return { ConditionExpression: `attribute_not_exists(${key})` };
}

/** The row has these attributes as they were read. None may be undefined: DynamoDB refuses such a condition. */
export function ifUnchanged<K extends string>(read: Readonly<Record<K, unknown>>): ReturnType<typeof asRead> & On<K> {
  return asRead(Object.entries(read), []);
}

/**
 * The same of a row that may lack some of them, or have what no honest function writes: what is undefined is still absent, and what no
 * condition is sure to find the same (a number of many digits is read as a text) is still there. If all were absent, it also holds when
 * the row is gone, unless an attribute of the key is among them.
 */
export function ifAsRead(read: Readonly<Record<string, unknown>>) {
  const attributes = Object.entries(read);
  const absent = attributes.filter(([, value]) => value === undefined);
  const odd = attributes.filter(([, value]) => value !== undefined && !isPlain(value));
  return asRead(
    attributes.filter(([, value]) => isPlain(value)),
    [...absent.map(([name]) => [name, 'not_exists'] as const), ...odd.map(([name]) => [name, 'exists'] as const)],
  );
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return Number.isNaN(Number(value)) || numberIn(value) !== value;
  return value === null || typeof value === 'boolean' || Number.isSafeInteger(value);
}

type Pairs = readonly (readonly [name: string, value: unknown])[];
type Presence = readonly (readonly [name: string, presence: 'exists' | 'not_exists'])[];

function asRead(given: Pairs, others: Presence) {
  const are = given.map(([name]) => `#${name} = :${name}`);
  const also = others.map(([name, presence]) => `attribute_${presence}(#${name})`);
  return {
    ConditionExpression: [...are, ...also].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries([...given, ...others].map(([name]) => [`#${name}`, name])),
    ...(are.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
    }),
  };
}

/**
 * Nothing has changed the row since it was read; if there was no row, nobody has created one. A row whose revision is no number, which
 * somebody may have planted, never stops the write. The number is compared as a range, as others may write fractions.
 *
 * @param key an attribute of the table's key @param read the row's `revision`; 0 or undefined: there was no row, or one that counts as none
 */
export function ifRevision(key: string, read: unknown) {
  const revision = revisionOf(read);
  const isNumber = 'attribute_type(revision, :number) AND revision BETWEEN :least AND :most';
  const [least, most] = revision === 0 ? [0.5, mostRevisions + 0.5] : [revision - 0.5, revision + 0.5];
  return {
    ConditionExpression:
      revision === 0
        ? `attribute_not_exists(${key}) OR NOT (${isNumber})`
        : `attribute_exists(${key}) AND (NOT attribute_type(revision, :number) OR revision BETWEEN :least AND :most)`,
    ExpressionAttributeValues: { ':number': 'N', ':least': least, ':most': most },
  };
}

/** Like `ifRevision`, but the row must exist: so no write brings back what an erasure has taken. */
export function ifStill(key: string, read: unknown) {
  const same = ifRevision(key, read);
  return { ...same, ConditionExpression: `attribute_exists(${key}) AND (${same.ConditionExpression})` };
}

/**
 * The same as `ifRevision` of rows that name each change instead of counting: by a text that is new with each.
 *
 * @param names of the attributes: the first is new with each change, the others only show that the row is whole
 * @param read the text of the change; null: there was no row that counts
 */
export function ifChangeIs(key: string, names: readonly [string, ...string[]], read: string | null) {
  const isNamed = names.map((name) => `${name} > :none`).join(' AND ');
  return {
    ConditionExpression:
      read === null ? `NOT (${isNamed})` : `attribute_exists(${key}) AND (NOT (${isNamed}) OR ${names[0]} = :read)`,
    ExpressionAttributeValues: { ':none': '', ...(read !== null && { ':read': read }) },
  };
}
