import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/**
 * A range of the sort key; an empty prefix is no limit. `after`: the key that the previous page ended with; null for the first page.
 */
export type SortRange = { readonly after?: string | null } & (
  | { readonly from: string; readonly to: string }
  | { readonly prefix: string }
  | { readonly above: string }
  | { readonly below: string }
  | { readonly upTo: string }
  | { readonly after: string | null }
);

declare const names: unique symbol;
/** Names the attributes of the table's key, for the compiler. */
export type OfKey<K> = { readonly [names]?: K };

/** The sort key's name, by which `queryPage` says where a page ended. The SDK does not see a symbol. */
export const sortKeyOf = Symbol('sortKeyOf');
/** There is no such row. DynamoDB refuses a range that is empty, and a start outside of the range, as a cursor of another query has. */
export const isNone = Symbol('isNone');

type Expressions = 'KeyConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';
export type KeyRange<K extends string> = Pick<QueryCommandInput, Expressions | 'ExclusiveStartKey'> &
  OfKey<K> & { readonly [sortKeyOf]?: string; readonly [isNone]?: boolean };

/**
 * The rows of a partition, in the order of their sort keys: `queryPage(devices, inPartition({ userId }, { deviceId: { after } }), limit)`.
 * What else a query has stands beside it: `{ ...inPartition({ userId }), ScanIndexForward: false }`.
 */
export function inPartition<const P extends string, const S extends string = never>(
  partition: Readonly<Record<P, string>>,
  sort?: Readonly<Record<S, SortRange>>,
): KeyRange<P | S> {
  const [[partitionKey, value] = ['', '']] = Object.entries<string>(partition);
  const [[sortKey, range] = ['', undefined]] = Object.entries<SortRange>(sort ?? {});
  const [limits, values] = range ? limitsOf(range) : ['', {}];
  return {
    KeyConditionExpression: `#partition = :partition${limits}`,
    ExpressionAttributeNames: { '#partition': partitionKey, ...(limits && { '#sort': sortKey }) },
    ExpressionAttributeValues: { ':partition': value, ...values },
    ...(range?.after != null && { ExclusiveStartKey: { [partitionKey]: value, [sortKey]: range.after } }),
    ...(range && { [sortKeyOf]: sortKey, [isNone]: isEmpty(range) }),
  };
}

function limitsOf(range: SortRange): [limits: string, values: Record<string, string>] {
  if ('from' in range) return [' AND #sort BETWEEN :from AND :to', { ':from': range.from, ':to': range.to }];
  if ('prefix' in range && range.prefix !== '')
    return [' AND begins_with(#sort, :prefix)', { ':prefix': range.prefix }];
  if ('above' in range) return [' AND #sort > :above', { ':above': range.above }];
  if ('below' in range) return [' AND #sort < :below', { ':below': range.below }];
  return 'upTo' in range ? [' AND #sort <= :upTo', { ':upTo': range.upTo }] : ['', {}];
}

function isEmpty(range: SortRange): boolean {
  const { after = null } = range;
  if ('from' in range && range.from > range.to) return true;
  if (after === null) return false;
  if ('from' in range) return after < range.from || after > range.to;
  if ('prefix' in range) return !after.startsWith(range.prefix);
  if ('above' in range) return after <= range.above;
  if ('below' in range) return after >= range.below;
  return 'upTo' in range && after > range.upTo;
}
