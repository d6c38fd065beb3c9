import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compact } from '../../lib/bundle/compact-errors.ts';
import manifest from '../../package.json' with { type: 'json' };

const packages = join(import.meta.dirname, '../../node_modules/@aws-sdk');
// Those that are bundled: the commands' own, which are development dependencies, stay whole.
const clients = Object.keys(manifest.dependencies)
  .filter((name) => name.startsWith('@aws-sdk/client-'))
  .map((name) => name.replace('@aws-sdk/', ''));

type Made = Error & Record<string, unknown>;
type ErrorClass = (new (options: object) => Made) & { shapeId: string };

describe('the shorter classes of a client’s errors are the same', () => {
  test.each(clients)('%s', async (client) => {
    const source = readFileSync(join(packages, client, 'dist-es/models/errors.js'), 'utf8');
    const compacted = compact(source);
    expect(compacted, 'of the form that is known').not.toBeNull();
    const [whole, short] = await Promise.all([load(source), load(compacted ?? '')]);
    expect(Object.keys(short).sort()).toEqual(Object.keys(whole).sort());
    for (const [name, Whole] of Object.entries(whole)) {
      const Short = short[name] as ErrorClass;
      const taken = Object.fromEntries(
        [...source.matchAll(/opts\.([\w$]+)/g)].map(([, field]) => [field, `its ${field}`]),
      );
      for (const options of [{ message: 'no' }, { message: 'no', $metadata: { httpStatusCode: 400 }, ...taken }]) {
        const [one, other] = [new Whole(options), new Short(options)];
        expect({ ...other, name: other.name, message: other.message }).toEqual({
          ...one,
          name: one.name,
          message: one.message,
        });
        expect(Object.keys(other).sort()).toEqual(Object.keys(one).sort());
        expect(other).toBeInstanceOf(Short);
        expect(other).toBeInstanceOf(Error);
      }
      expect(Short.shapeId).toBe(Whole.shapeId);
    }
  });

  test('a file of another form is left as it is', () => {
    const known = 'import { X as __BaseException } from "./X";\n';
    expect(compact(`${known}export class Other extends __BaseException {\n    retry() {}\n}\n`)).toBeNull();
    expect(compact('export const none = 1;')).toBeNull();
  });
});

/** The module with the SDK's real base class beneath it. */
async function load(source: string): Promise<Record<string, ErrorClass>> {
  const base = pathToFileURL(join(packages, '../@smithy/core/dist-cjs/submodules/client/index.js')).href;
  const file = join(mkdtempSync(join(tmpdir(), 'mobile-health-errors-')), 'errors.mjs');
  const head = `import smithy from '${base}';\nconst __BaseException = smithy.ServiceException;\n`;
  writeFileSync(file, source.replace(/^import .*\n/, head));
  return import(pathToFileURL(file).href);
}
