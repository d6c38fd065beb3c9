import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/** A range of the sort key: its part of the expression, its values, and which keys are in it. A bundle carries only the ranges it uses. */
export type Range = readonly [limits: string, values: Readonly<Record<string, string>>, has: (key: string) => boolean];

/** All of the partition. */
export const all: Range = ['', {}, () => true];

export function between(from: string, to: string): Range {
  return [' AND #sort BETWEEN :from AND :to', { ':from': from, ':to': to }, (key) => from <= key && key <= to];
}

/** No limit where the prefix is empty. */
export function startingWith(prefix: string): Range {
  if (prefix === '') return all;
  return [' AND begins_with(#sort, :prefix)', { ':prefix': prefix }, (key) => key.startsWith(prefix)];
}

export function above(least: string): Range {
  return [' AND #sort > :least', { ':least': least }, (key) => key > least];
}

export function below(most: string): Range {
  return [' AND #sort < :most', { ':most': most }, (key) => key < most];
}

/** Whether there can be a row with it: DynamoDB refuses a call with a longer one. */
export function isPossibleKey(partition: string, sort: string): boolean {
  return Buffer.byteLength(partition) <= 2048 && Buffer.byteLength(sort) <= 1024;
}

declare const names: unique symbol;
/** Names the attributes of the table's key, for the compiler. */
export type OfKey<K> = { readonly [names]?: K };

/** The sort key's name, by which `queryPage` says where a page ended. The SDK does not see a symbol. */
export const sortKeyOf = Symbol();
/** Whether there is no such row. DynamoDB refuses an empty range, and a start outside of the range, as a cursor of another query has. */
export const isNone = Symbol();

type Expressions = 'KeyConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';
export type KeyRange<K extends string> = Pick<QueryCommandInput, Expressions | 'ExclusiveStartKey'> &
  OfKey<K> & { readonly [sortKeyOf]?: string; readonly [isNone]?: boolean };

/** The query with only these attributes of each row: whatever else somebody filled it with does not leave DynamoDB. */
export function only<Asked extends { ExpressionAttributeNames?: Record<string, string> | undefined }>(
  asked: Asked,
  attributes: readonly string[],
): Asked & { readonly ProjectionExpression: string } {
  const names = Object.fromEntries(attributes.map((name) => [`#only_${name}`, name]));
  return {
    ...asked,
    ExpressionAttributeNames: { ...asked.ExpressionAttributeNames, ...names },
    ProjectionExpression: Object.keys(names).join(', '),
  };
}

/**
 * The rows of a partition, in the order of their sort keys: `queryPage(devices, inPartition({ userId }, { deviceId: all }, after), limit)`.
 * What else a query has stands beside it: `{ ...inPartition({ userId }), ScanIndexForward: false }`.
 *
 * @param after the sort key that the previous page ended with; null for the first page
 */
export function inPartition<const P extends string, const S extends string = never>(
  partition: Readonly<Record<P, string>>,
  sort?: Readonly<Record<S, Range>>,
  after: string | null = null,
): KeyRange<P | S> {
  const [[partitionKey, value] = ['', '']] = Object.entries<string>(partition);
  const [[sortKey, [limits, values, has]] = ['', all]] = Object.entries<Range>(sort ?? {});
  const { ':from': from = '', ':to': to = from } = values;
  return {
    KeyConditionExpression: `#partition = :partition${limits}`,
    ExpressionAttributeNames: { '#partition': partitionKey, ...(limits && { '#sort': sortKey }) },
    ExpressionAttributeValues: { ':partition': value, ...values },
    ...(after !== null && { ExclusiveStartKey: { [partitionKey]: value, [sortKey]: after } }),
    [sortKeyOf]: sortKey,
    [isNone]: from > to || (after !== null && !has(after)),
  };
}
