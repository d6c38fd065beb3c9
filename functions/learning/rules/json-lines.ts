/** Where things are in a JSON text: on which line each value begins, and where it stops being JSON. Pure. */

type Frame = { readonly path: string; readonly isArray: boolean; index: number; key: string | null };

/**
 * By path, as `modules[0].units[1].title`; the whole is ''.
 *
 * @param text that JSON.parse takes
 */
export function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const open: Frame[] = [];
  let line = 1;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:\n]|[^\s[\]{},:"]+/g)) {
    const frame = open.at(-1);
    if (token === '\n') line += 1;
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && frame) {
      frame.key = null;
      frame.index += 1;
    } else if (token !== ':') {
      const isKey = frame && !frame.isArray && frame.key === null;
      if (isKey) {
        frame.key = JSON.parse(token) as string;
        continue;
      }
      const path = frame ? pathTo(frame.path, frame.isArray ? frame.index : (frame.key ?? '')) : '';
      if (!lines.has(path)) lines.set(path, line);
      if (token === '{' || token === '[') open.push({ path, isArray: token === '[', index: 0, key: null });
    }
  }
  return lines;
}

/** As `linesOf` writes it, whatever the keys: `title.pt-BR`. */
export function pathOf(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>((path, step) => pathTo(path, typeof step === 'symbol' ? String(step) : step), '');
}

function pathTo(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}

/** That of the value, or of the nearest one around it: what is missing has no line of its own. */
export function lineOf(lines: ReadonlyMap<string, number>, path: string): number {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.'), at.lastIndexOf('[')))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return lines.get('') ?? 1;
}

const blanks = /[ \t\r\n]*/y;
const token =
  /[[\]{},:]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\u007f-\u009f])*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

type JsonToken = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing';

/** What comes after a token; null where it must not be there. */
function after(wanted: JsonToken, found: string, open: ('{' | '[')[]): JsonToken | null {
  const closes = found === '}' ? '{' : found === ']' ? '[' : null;
  if (closes !== null) {
    const isDue = wanted === ', or end' || wanted === (found === '}' ? 'key or }' : 'value or ]');
    return isDue && open.pop() === closes ? (open.length > 0 ? ', or end' : 'nothing') : null;
  }
  if (found === ',') return wanted === ', or end' ? (open.at(-1) === '{' ? 'key' : 'value') : null;
  if (found === ':') return wanted === ':' ? 'value' : null;
  if (wanted === 'key' || wanted === 'key or }') return found.startsWith('"') ? ':' : null;
  if (wanted !== 'value' && wanted !== 'value or ]') return null;
  if (found !== '{' && found !== '[') return open.length > 0 ? ', or end' : 'nothing';
  open.push(found);
  return found === '{' ? 'key or }' : 'value or ]';
}

/**
 * Where a text stops being JSON: JSON.parse says it only for some faults.
 *
 * @returns the index of the first token that must not be there, or of the text's end; null where it is JSON
 */
export function syntaxFaultIn(text: string): number | null {
  const open: ('{' | '[')[] = [];
  let wanted: JsonToken = 'value';
  for (let at = 0; ; ) {
    blanks.lastIndex = at;
    at += blanks.exec(text)?.[0].length ?? 0;
    if (at === text.length) return wanted === 'nothing' ? null : at;
    token.lastIndex = at;
    const [found] = token.exec(text) ?? [];
    if (found === undefined) return at;
    const next: JsonToken | null = after(wanted, found, open);
    if (next === null) return at;
    wanted = next;
    at += found.length;
  }
}

/** @param index of a character */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
