import { isSameJson, type Json, type Problem } from './json-value.ts';

/**
 * What a setting's value has to be: JSON Schema (2020-12) of a few keywords. One that is not known here is refused and not passed
 * over, so that no schema says more than is checked; patterns are left out, since a bad one takes a checker's time.
 */

const types = ['boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

export type ValueType = (typeof types)[number];

export type ValueSchema = {
  readonly type: ValueType;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
};

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText);

/** By keyword: whether a value is valid for it, and the types that it belongs to. */
const keywords: Readonly<
  Record<Exclude<keyof ValueSchema, 'type'>, { fits: (value: unknown) => boolean; of: readonly ValueType[] }>
> = {
  title: { fits: isText, of: types },
  description: { fits: isText, of: types },
  enum: { fits: (value) => Array.isArray(value) && value.length > 0, of: types },
  minimum: { fits: isNumber, of: ['integer', 'number'] },
  maximum: { fits: isNumber, of: ['integer', 'number'] },
  minLength: { fits: isCount, of: ['string'] },
  maxLength: { fits: isCount, of: ['string'] },
  items: { fits: isObject, of: ['array'] },
  minItems: { fits: isCount, of: ['array'] },
  maxItems: { fits: isCount, of: ['array'] },
  properties: { fits: isObject, of: ['object'] },
  required: { fits: isNames, of: ['object'] },
  additionalProperties: { fits: (value) => typeof value === 'boolean', of: ['object'] },
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param schema JSON without problems of its own */
export function schemaProblems(schema: unknown, path: string): Problem[] {
  if (!isObject(schema)) return [{ path, message: 'must be a schema' }];
  const type = types.find((each) => each === schema.type);
  if (!type) return [{ path: `${path}.type`, message: `must be one of ${types.join(', ')}` }];
  const problems = Object.entries(schema).flatMap(([name, value]): Problem[] => {
    if (name === 'type') return [];
    const keyword = Object.hasOwn(keywords, name) ? keywords[name as keyof typeof keywords] : undefined;
    const at = `${path}.${name}`;
    if (!keyword?.of.includes(type)) return [{ path: at, message: `is no keyword for a value of type ${type}` }];
    return keyword.fits(value) ? [] : [{ path: at, message: 'is not a value that this keyword takes' }];
  });
  if (problems.length > 0) return problems;
  const known = schema as ValueSchema;
  return [
    ...(known.items ? schemaProblems(known.items, `${path}.items`) : []),
    ...Object.entries(known.properties ?? {}).flatMap(([name, inner]) =>
      schemaProblems(inner, `${path}.properties.${name}`),
    ),
  ];
}

/** Each thing in a value that its schema does not allow. @param schema one without problems */
export function valueProblems(value: Json, schema: ValueSchema, path: string): Problem[] {
  if (!isOfType(value, schema.type)) return [{ path, message: `must be of type ${schema.type}` }];
  const problems: Problem[] = [];
  const find = (isWrong: boolean, message: string) => {
    if (isWrong) problems.push({ path, message });
  };
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const allowed = schema.enum;
  find(allowed !== undefined && !allowed.some((each) => isSameJson(each, value)), 'must be one of the values in enum');
  if (typeof value === 'number') {
    find(minimum !== undefined && value < minimum, `must be ${minimum} at least`);
    find(maximum !== undefined && value > maximum, `must be ${maximum} at most`);
  }
  if (typeof value === 'string') {
    // JSON Schema counts characters, and not their UTF-16 units.
    const length = [...value].length;
    find(minLength !== undefined && length < minLength, `must have ${minLength} characters at least`);
    find(maxLength !== undefined && length > maxLength, `must have ${maxLength} characters at most`);
  }
  if (isList(value)) {
    find(minItems !== undefined && value.length < minItems, `must have ${minItems} items at least`);
    find(maxItems !== undefined && value.length > maxItems, `must have ${maxItems} items at most`);
    const { items } = schema;
    if (items) problems.push(...value.flatMap((each, index) => valueProblems(each, items, `${path}[${index}]`)));
  } else if (typeof value === 'object' && value !== null) {
    problems.push(...propertyProblems(value, schema, path));
  }
  return problems;
}

function propertyProblems(
  value: { readonly [name: string]: Json },
  { properties = {}, required = [], additionalProperties = true }: ValueSchema,
  path: string,
): Problem[] {
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => ({ path: `${path}.${name}`, message: 'is required' })),
    ...Object.entries(value).flatMap(([name, inner]): Problem[] => {
      const at = `${path}.${name}`;
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema) return valueProblems(inner, schema, at);
      return additionalProperties ? [] : [{ path: at, message: 'is not in the schema' }];
    }),
  ];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isOfType(value: Json, type: ValueType): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return isList(value);
    case 'object':
      return typeof value === 'object' && value !== null && !isList(value);
    default:
      return typeof value === type;
  }
}
