import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consumers, operations } from '../../functions/domains.ts';
import { Clock } from '../../functions/time-machine/tables.ts';
import { tableVariable } from '../../lib/contract/tables.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { functionName } from '../../lib/stack/names.ts';

/** How many calls to dependencies follow one another in a request: those that begin together are one round trip. */

export type RoundTrips = {
  /** Where there is no time machine, and no clock to be read. */
  readonly prod: number;
  /** With it, where its last reading is no longer fresh. */
  readonly withClock: number;
};

/**
 * Puts the counter around each route's function of a stage that has just started, and around what such a function invokes.
 *
 * @returns what removes it from the disk
 */
export function countRoundTrips(stage: RunningStage): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'mobile-health-round-trips-'));
  const counter = new URL('round-trip-counter.mjs', import.meta.url).href;
  const performers = consumers.filter(({ consumer }) => consumer.procedure);
  const names = new Set([...operations, ...performers].map(({ id }) => functionName(id)));
  const bundles = new Map(stage.model().functions.map(({ operation, codeDir }) => [operation, codeDir]));
  for (const [name, codeDir] of bundles) {
    if (!names.has(name)) continue;
    const codeOfName = mkdtempSync(join(folder, `${name}-`));
    const bundle = join(codeDir, 'index.mjs');
    writeFileSync(
      join(codeOfName, 'index.mjs'),
      `import { counted } from '${counter}';\nexport const handler = await counted(() => import('${bundle}'), '${tableVariable(Clock)}');\n`,
    );
    stage.replaceCode(name, codeOfName);
  }
  return () => rmSync(folder, { recursive: true });
}

/** @throws an Error where the function has no counter */
export function roundTripsOf({ headers }: { readonly headers: Headers }): RoundTrips {
  const [, trips, ofClock] = /^(\d+) (\d+)$/.exec(headers.get('x-round-trips') ?? '') ?? [];
  if (trips === undefined) throw new Error('the answer has no X-Round-Trips');
  return { prod: Number(trips), withClock: Number(trips) + Number(ofClock) };
}
