import { type AttributeValue, db, type Expression, type Item, type Operand } from './dynalite.ts';

/**
 * Does the item meet the condition? dynalite parses expressions well but evaluates some wrongly: it compares lists and
 * maps by identity, and takes an empty string or a false for a missing attribute. Checked against DynamoDB Local.
 */
export function meets(item: Item, expression: Expression): boolean {
  const { type, args } = expression;
  switch (type) {
    case 'and':
      return args.every((arg) => meets(item, arg as Expression));
    case 'or':
      return args.some((arg) => meets(item, arg as Expression));
    case 'not':
      return !meets(item, args[0] as Expression);
  }
  const [first, ...others] = args.map((arg) => resolve(arg, item));
  const second = others[0];
  switch (type === 'function' ? expression.name : type) {
    case 'attribute_exists':
      return first !== undefined;
    case 'attribute_not_exists':
      return first === undefined;
    case 'attribute_type':
      return first !== undefined && typeOf(first) === second?.S;
    case 'begins_with':
      return beginsWith(first, second);
    case 'contains':
      return contains(first, second);
    case '=':
      return equal(first, second);
    case '<>':
      return !equal(first, second);
    case 'in':
      return others.some((other) => equal(first, other));
    case 'between':
      return ordered(second, first, (order) => order <= 0) && ordered(first, others[1], (order) => order <= 0);
    case '<':
      return ordered(first, second, (order) => order < 0);
    case '<=':
      return ordered(first, second, (order) => order <= 0);
    case '>':
      return ordered(first, second, (order) => order > 0);
    case '>=':
      return ordered(first, second, (order) => order >= 0);
    default:
      throw new Error(`Unknown condition ${type} ${expression.name}`);
  }
}

const ORDERS = new Set(['<', '<=', '>', '>=', 'between']);

/** DynamoDB's message for a condition that parses but is refused: it orders values of a type without an order. */
export function wrongOperand({ type, args }: Expression): string | undefined {
  for (const arg of args) {
    if (Array.isArray(arg)) continue;
    if ('args' in arg) {
      const inside = wrongOperand(arg as Expression);
      if (inside) return inside;
    } else if (ORDERS.has(type) && !ORDERED.has(typeOf(arg as AttributeValue))) {
      const operands = `operator or function: ${type.toUpperCase()}, operand type: ${typeOf(arg as AttributeValue)}`;
      return `Incorrect operand type for operator or function; ${operands}`;
    }
  }
  return undefined;
}

function resolve(operand: Operand, item: Item): AttributeValue | undefined {
  if (Array.isArray(operand)) return db.mapPath(operand, item) ?? undefined;
  if (operand.type === 'function') {
    const size = sizeOf(resolve((operand as Expression).args[0] ?? [], item));
    return size === undefined ? undefined : { N: String(size) };
  }
  return operand as AttributeValue;
}

const ORDERED = new Set(['S', 'N', 'B']);
const typeOf = (value: AttributeValue): string => Object.keys(value)[0] ?? '';
const bytes = (value: AttributeValue): Buffer =>
  'B' in value ? Buffer.from(String(value.B), 'base64') : Buffer.from(String(value.S), 'utf8');

function sizeOf(value: AttributeValue | undefined): number | undefined {
  if (!value) return undefined;
  const type = typeOf(value);
  if (type === 'S') return String(value.S).length;
  if (type === 'B') return bytes(value).length;
  if (type === 'M') return Object.keys(value.M as object).length;
  return Array.isArray(value[type]) ? value[type].length : undefined;
}

/** Are they the same value? The order of a set or of a map's names does not count. */
export function equal(left: AttributeValue | undefined, right: AttributeValue | undefined): boolean {
  if (!left || !right) return false;
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  const [a, b] = [left[type], right[type]];
  if (type === 'L') return sameList(a as AttributeValue[], b as AttributeValue[]);
  if (type === 'M') {
    const [one, other] = [a as Item, b as Item];
    const names = Object.keys(one);
    return names.length === Object.keys(other).length && names.every((name) => equal(one[name], other[name]));
  }
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((member) => b.includes(member));
  return a === b;
}

function sameList(a: AttributeValue[], b: AttributeValue[]): boolean {
  return a.length === b.length && a.every((member, i) => equal(member, b[i]));
}

/** Values of one type that has an order: numbers by value, strings and binaries by their bytes. */
function ordered(
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
  test: (order: number) => boolean,
): boolean {
  if (!left || !right) return false;
  const type = typeOf(left);
  if (type !== typeOf(right) || !ORDERED.has(type)) return false;
  if (type !== 'N') return test(Buffer.compare(bytes(left), bytes(right)));
  const [a, b] = [db.toLexiStr(String(left.N), 'N'), db.toLexiStr(String(right.N), 'N')];
  return test(a < b ? -1 : a > b ? 1 : 0);
}

function beginsWith(value: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean {
  if (!value || !prefix || typeOf(value) !== typeOf(prefix)) return false;
  const start = bytes(prefix);
  return bytes(value).subarray(0, start.length).equals(start);
}

function contains(value: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (!value || !part) return false;
  const type = typeOf(value);
  const partType = typeOf(part);
  if (type === 'L') return (value.L as AttributeValue[]).some((member) => equal(member, part));
  if (type === `${partType}S`) return (value[type] as unknown[]).includes(part[partType]);
  return type === partType && (type === 'S' || type === 'B') && bytes(value).includes(bytes(part));
}
