import jsonc, { type ParseError } from 'jsonc-parser';

/** Where things are in a JSON text: on which line each value begins, and where it stops being JSON. Pure. */

/**
 * By path, as `modules[0].units[1].title`; the whole is ''.
 *
 * @param text that JSON.parse takes
 */
export function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const note = (line: number, path: () => PropertyKey[]) => lines.set(pathOf(path()), line + 1);
  jsonc.visit(text, {
    onObjectBegin: (_offset, _length, line, _column, path) => void note(line, path),
    onArrayBegin: (_offset, _length, line, _column, path) => void note(line, path),
    onLiteralValue: (_value, _offset, _length, line, _column, path) => void note(line, path),
  });
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

/**
 * Where a text stops being JSON: JSON.parse says it only for some faults.
 *
 * @returns the index of the first token that must not be there, or of the text's end; null where it is JSON
 */
export function syntaxFaultIn(text: string): number | null {
  const faults: ParseError[] = [];
  jsonc.parseTree(text, faults, { disallowComments: true });
  return faults[0]?.offset ?? null;
}

/** @param index of a character */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
