import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './files.ts';

/** Rows in DynamoDB's form: `{ "S": … }`. Only the types of JSON are needed here: no sets and no bytes. */
export function itemOf(row: Readonly<Record<string, unknown>>): Item {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, attributeOf(value)] as const])),
  );
}

function attributeOf(value: unknown): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  if (typeof value === 'object') return { M: itemOf(value as Readonly<Record<string, unknown>>) };
  throw new Error(`no attribute has a value of type ${typeof value}`);
}
