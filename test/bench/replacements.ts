import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { declarations } from '../../functions/domains.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { bundleOptions } from '../../lib/bundle/options.ts';
import { type Compared, compared, eventOf } from './events.ts';
import { inFreshProcess } from './fresh-process.ts';
import { interleaved } from './interleaved.ts';
import type { Section } from './report.ts';
import { median, medianInterval } from './statistics.ts';
import type { TlsStub } from './tls-stub.ts';
import { builtFile, kibibytes } from './variants.ts';

/** What each rewrite at bundling (lib/bundle) gains in a cold start: only this one off, compared with all on. */

/** With other clients than DynamoDB's, which the stub is: they are loaded and not invoked. */
const loaded = [
  'issue-tokens',
  'sign-content-upload',
  'write-checkpoint',
  'send-push',
  'dispatch-pushes',
  'authorizer',
];

type Start = { readonly name: string; readonly file: string };
type Starts = ReadonlyMap<string, Start>;
/** A function as it is, and without one rewrite. */
type Pair = { readonly rewrite: string; readonly on: Start; readonly off: Start };

export async function replacements(folder: string, stub: TlsStub, rounds: number): Promise<Section> {
  const names = [...compared, ...loaded];
  const entries = functionEntries(declarations).filter(({ name }) => names.includes(name));
  const { plugins, ...options } = bundleOptions(entries);
  const builtWithout = async (rewrite: string | null) => {
    const outdir = join(folder, rewrite?.replaceAll(/[^\w.-]+/g, '_') ?? 'all-on');
    await build({ ...options, outdir, plugins: plugins.filter(({ name }) => name !== rewrite) });
    return new Map(names.map((name): [string, Start] => [name, { name, file: builtFile(outdir, name) }]));
  };
  const on = await builtWithout(null);
  const again = await builtWithout(null);
  const control = names.slice(0, 1).flatMap((name) => pairOf('(control: nothing)', on, again, name));
  const pairs = [...control];
  const idle: string[] = [];
  for (const { name } of plugins.filter(({ name }) => name !== 'function-modules')) {
    const found = pairsOf(name, on, await builtWithout(name));
    if (found.length === 0) idle.push(name);
    pairs.push(...found);
  }

  const starts = [...new Set(pairs.flatMap((pair) => [pair.on, pair.off]))];
  const costs = await interleaved(rounds, starts, async ({ name, file }) => {
    const event = isInvoked(name) ? eventOf(name) : null;
    const { load, first } = await inFreshProcess({ file, event, batches: 0, batchSize: 0 }, stub);
    return load + first;
  });
  return {
    title: 'The rewrites at bundling',
    text:
      'CPU milliseconds (user and system) of the load and, where the function’s name stands without brackets, the first ' +
      'invocation, in fresh processes over TLS, with one rewrite of lib/bundle switched off and with all of them on: medians ' +
      `of ${rounds} processes of each, interleaved. The gain is the median of the differences within a round, with its 95 % ` +
      'interval by bootstrap; it is certain where the interval excludes zero. Without effect on the code of these functions, ' +
      `beside the others: ${idle.join(', ') || 'none'}.`,
    tables: [
      {
        head: ['rewrite', 'function', 'KiB less', 'without it', 'with it', 'gain', '95 %', 'certain'],
        rows: pairs.map((pair) => row(pair, costs.get(pair.on) ?? [], costs.get(pair.off) ?? [])),
      },
    ],
  };
}

function isInvoked(name: string): name is Compared {
  return compared.some((each) => each === name);
}

/** The first function that a rewrite changes, and of those that are only loaded the one that it makes smallest. */
function pairsOf(rewrite: string, on: Starts, off: Starts): Pair[] {
  const all = [...on.keys()].flatMap((name) => pairOf(rewrite, on, off, name));
  const changed = all.filter((pair) => !isSame(pair.on.file, pair.off.file));
  const invoked = changed.find((pair) => isInvoked(pair.on.name));
  const [smallest] = changed.filter((pair) => !isInvoked(pair.on.name)).toSorted((a, b) => lessIn(b) - lessIn(a));
  // Elsewhere it gains as much as there.
  const isFurther = smallest && (!invoked || lessIn(smallest) > lessIn(invoked) + 1);
  return [...(invoked ? [invoked] : []), ...(isFurther ? [smallest] : [])];
}

function pairOf(rewrite: string, on: Starts, off: Starts, name: string): Pair[] {
  const [one, other] = [on.get(name), off.get(name)];
  return one && other ? [{ rewrite, on: one, off: other }] : [];
}

function lessIn({ on, off }: Pair): number {
  return kibibytes(off.file) - kibibytes(on.file);
}

function isSame(one: string, other: string): boolean {
  return readFileSync(one).equals(readFileSync(other));
}

function row(pair: Pair, on: readonly number[], off: readonly number[]): string[] {
  const { rewrite } = pair;
  const { name } = pair.on;
  const gains = off.map((cost, round) => cost - (on[round] ?? Number.NaN));
  const [low, high] = medianInterval(gains);
  return [
    rewrite,
    isInvoked(name) ? name : `(${name})`,
    lessIn(pair).toFixed(1),
    median(off).toFixed(1),
    median(on).toFixed(1),
    median(gains).toFixed(2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
    low > 0 ? 'yes' : high < 0 ? 'a loss' : 'no',
  ];
}
