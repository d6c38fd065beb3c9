import canonicalize from 'canonicalize';

/** JSON as a setting holds it: small, and of a form that every app reads as the same. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type Problem = { readonly path: string; readonly message: string };

const mostLevels = 12;
const mostBytes = 20_000;

/** What is not to be in any JSON of a definition; without a problem its depth is one that any function can walk. */
export function jsonProblems(whole: unknown): Problem[] {
  // Step by step: a hostile request nests more deeply than a stack can.
  const open: { value: unknown; path: string; level: number }[] = [{ value: whole, path: '', level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, level } = next;
    if (level > mostLevels) return [{ path, message: `must have ${mostLevels} levels at most` }];
    if (typeof value === 'string' && !value.isWellFormed()) return [{ path, message: 'must be well-formed Unicode' }];
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      return [{ path, message: 'must be a number that every app reads as the same value' }];
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : joined(path, name);
      // JavaScript takes it for something else.
      if (name === '__proto__' || !name.isWellFormed()) return [{ path, message: 'must have no such name' }];
      open.push({ value: inner, path: at, level: level + 1 });
    }
  }
  const isLong = Buffer.byteLength(JSON.stringify(whole)) > mostBytes;
  return isLong ? [{ path: '', message: `must be ${mostBytes} bytes of JSON at most` }] : [];
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Whether two are the same JSON, in whichever order their names stand. */
export function isSameJson(one: Json, other: Json): boolean {
  return canonicalize(one) === canonicalize(other);
}
