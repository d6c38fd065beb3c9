/** On which line each value of a JSON text begins. Pure. */

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
      const path = pathIn(frame);
      if (!lines.has(path)) lines.set(path, line);
      if (token === '{' || token === '[') open.push({ path, isArray: token === '[', index: 0, key: null });
    }
  }
  return lines;
}

function pathIn(frame: Frame | undefined): string {
  if (!frame) return '';
  if (frame.isArray) return `${frame.path}[${frame.index}]`;
  return frame.path === '' ? (frame.key ?? '') : `${frame.path}.${frame.key}`;
}

/** That of the value, or of the nearest one around it: what is missing has no line of its own. */
export function lineOf(lines: ReadonlyMap<string, number>, path: string): number {
  for (let at = path; ; at = at.replace(/(\.[^.[\]]*|\[\d+\]|^[^.[\]]+)$/, '')) {
    const line = lines.get(at);
    if (line !== undefined) return line;
    if (at === '') return 1;
  }
}
