type Attribute = { readonly [type: string]: unknown };

/** A row as a stream has it. */
export function imageOf(row: object): Record<string, Attribute> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, attributeOf(value)]));
}

function attributeOf(value: unknown): Attribute {
  if (value === null) return { NULL: true };
  if (typeof value === 'number') return { N: String(value) };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  return typeof value === 'object' ? { M: imageOf(value) } : { S: String(value) };
}
