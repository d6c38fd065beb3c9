import { join } from 'node:path';
import { declarations } from '../../functions/domains.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { inFreshProcess } from './fresh-process.ts';
import { interleaved } from './interleaved.ts';
import type { Section } from './report.ts';
import { median } from './statistics.ts';
import type { TlsStub } from './tls-stub.ts';
import { builtFile, emptyFunction, kibibytes } from './variants.ts';

/** What every function weighs, and what loading it costs. */
export async function weights(folder: string, stub: TlsStub, rounds: number): Promise<Section> {
  const functions = functionEntries(declarations).map(({ name }) => ({
    name,
    file: builtFile(join(folder, 'ours'), name),
  }));
  const empty = { name: '(empty)', file: emptyFunction(folder) };
  const all = [empty, { ...empty, name: '(empty again)' }, ...functions];
  const loads = await interleaved(rounds, all, async ({ file }) => {
    return (await inFreshProcess({ file, event: null, batches: 0, batchSize: 0 }, stub)).load;
  });
  const ofEmpty = median(loads.get(empty) ?? []);
  return {
    title: 'Every function: size and load',
    text: `Only the CPU time of the load, no invocation; median of ${rounds} fresh processes.`,
    tables: [
      {
        head: ['function', 'KiB', 'CPU ms', 'more than the empty one'],
        rows: all.map((one) => {
          const load = median(loads.get(one) ?? []);
          return [one.name, kibibytes(one.file).toFixed(1), load.toFixed(1), (load - ofEmpty).toFixed(1)];
        }),
      },
    ],
  };
}
