import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { bundleGroup } from '../../lib/bundle/bundle.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { root } from '../../lib/bundle/root.ts';
import { entryNamed, mapOf, positionOf } from '../../lib/bundle/trace.ts';

/** `npm run cli -- trace`. */

const entry = entryNamed('read-health', functionEntries(declarations));

test('a place in a deployed bundle is a place in a source file', async () => {
  const { code, find } = await mapOf(entry);
  const deployed = Buffer.from((await bundleGroup([entry])).code(entry)).toString();
  expect(code).toBe(deployed);
  const before = deployed.slice(0, deployed.indexOf('status:"ok"')).split('\n');
  const file = 'functions/health/handlers/read-health.ts';
  const line =
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .findIndex((each) => each.includes("status: 'ok'")) + 1;
  expect(find({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 })).toMatch(
    new RegExp(`^${file}:${line}:\\d+$`),
  );
  expect(find({ line: 900, column: 1 })).toBe('900:1 is not in the bundle of these sources');
});

test('what is wrong is said in one line', () => {
  expect(() => positionOf('27')).toThrow('"27" is not a position such as 27:23068');
  expect(() => positionOf('0:1')).toThrow('is not a position');
  expect(() => entryNamed('list-agree', functionEntries(declarations))).toThrow(
    'there is no function list-agree; there are list-agreements',
  );
});
