import { isDeepStrictEqual } from 'node:util';
import { misdatingOf, type RowChange, type StoredRow, skewMs } from './row-change.ts';

/** The rows of a table that is only appended to: each is put once, and DynamoDB deletes it when its term is over. Pure. */

export type AppendedSuspicion =
  | 'changed'
  | 'removed'
  | 'removed-early'
  | 'not-a-row'
  | 'wrong-expiry'
  | 'backdated'
  | 'postdated';

export type AppendedRules = {
  /** What every row has. Others are allowed, since a newer version may add some, and the table's policy names them. */
  readonly attributes: readonly string[];
  /** Whether its other values have the form that the code gives them; `at` is a time in ISO 8601. */
  readonly isWellFormed: (row: StoredRow & { readonly at: string }) => boolean;
  /** When a row of this time expires, in seconds since 1970; null where rows are kept for good. */
  readonly expiryOf: ((at: Date) => number) | null;
};

type AttributeType = 'text' | 'text or null' | 'texts' | 'object or null';

type Types = Readonly<Partial<Record<AttributeType, readonly string[]>>>;

/** Whether readers understand the row: one that they do not would take the whole list away. @param types the attributes of each type */
export function isTyped(row: StoredRow, types: Types): boolean {
  return Object.entries(types).every(([type, names]) => names.every((name) => fits(row[name], type as AttributeType)));
}

/** Lists and maps are as DynamoDB has them (`changeIn`). */
function fits(value: unknown, type: AttributeType): boolean {
  if (type === 'text') return typeof value === 'string';
  const { L, M } = (value ?? {}) as { readonly L?: unknown; readonly M?: unknown };
  if (type === 'texts') return Array.isArray(L) && L.every((each) => typeof each?.S === 'string');
  return value === null || (type === 'text or null' ? typeof value === 'string' : M !== undefined);
}

/** @returns null for a change that is allowed */
export function judgeAppended(change: RowChange, rules: AppendedRules): AppendedSuspicion | null {
  const { before, after } = change;
  if (after === null) return judgeRemoval(change, rules);
  if (before !== null) return isDeepStrictEqual(before, after) ? null : 'changed';
  const { attributes, isWellFormed } = rules;
  const isWhole = attributes.every((name) => name in after);
  if (!isWhole || !isDated(after) || !isWellFormed(after)) return 'not-a-row';
  return isOfItsTerm(after, rules) ? misdatingOf(after.at, change.at) : 'wrong-expiry';
}

function judgeRemoval({ before, isByTimeToLive, at }: RowChange, rules: AppendedRules): AppendedSuspicion | null {
  if (!isByTimeToLive) return 'removed';
  if (before === null || rules.expiryOf === null || !isDated(before) || !isOfItsTerm(before, rules))
    return 'removed-early';
  return Number(before.expiresAt) * 1000 <= at.getTime() + skewMs ? null : 'removed-early';
}

function isOfItsTerm({ at, expiresAt }: StoredRow & { readonly at: string }, { expiryOf }: AppendedRules): boolean {
  return expiryOf === null ? expiresAt === undefined : expiresAt === expiryOf(new Date(at));
}

/** A time of another form would sort, or be read, as another one. */
function isDated(row: StoredRow): row is StoredRow & { readonly at: string } {
  const { at } = row;
  return typeof at === 'string' && Date.parse(at) >= 0 && new Date(at).toISOString() === at;
}
