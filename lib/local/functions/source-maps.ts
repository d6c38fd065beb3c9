import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Names source files in stack traces. The function's own process does not do this, so that it starts and fails as fast as on
 * Lambda. A place in a file without a source map beside it stays as it is.
 *
 * @returns `at handler (functions/consents/handlers/agree.ts:31:7)` for `at handler (file:///…/index.mjs:1:2304)`
 */
export function sourceMapper(root: string): (text: string) => string {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (file: string) => {
    const known = maps.get(file);
    if (known !== undefined) return known;
    const path = `${file}.map`;
    const map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload) : null;
    maps.set(file, map);
    return map;
  };
  return (text) => {
    if (!text.includes('.mjs:')) return text;
    return text.replace(
      /(?:file:\/\/)?(\/[^\s()"'\\]+\.mjs):(\d+):(\d+)/g,
      (place, path: string, line: string, column: string) => {
        const file = place.startsWith('file:') ? fileURLToPath(`file://${path}`) : path;
        const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
        if (!origin || !('fileName' in origin) || !origin.fileName) return place;
        const source = resolve(dirname(file), origin.fileName);
        const shown = source.startsWith(`${root}/`) ? relative(root, source) : source;
        return `${shown}:${origin.lineNumber}:${origin.columnNumber}`;
      },
    );
  };
}
