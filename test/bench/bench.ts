import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { installTool } from '../../bin/tools.ts';
import { addresses } from './addresses.ts';
import { allFunctions } from './all-functions.ts';
import { answers } from './answers.ts';
import { broadcast } from './broadcast.ts';
import { comparison } from './comparison.ts';
import { delivery } from './delivery.ts';
import { fairness } from './fairness.ts';
import { replacements } from './replacements.ts';
import { circumstances, type Section, writeDocument, written } from './report.ts';
import { researchExport } from './research-export.ts';
import { type Effort, sideBySide } from './side-by-side.ts';
import { startTimes } from './start.ts';
import { throughput } from './throughput.ts';
import { startTlsStub } from './tls-stub.ts';
import { buildVariants, emptyFunction } from './variants.ts';
import { weights } from './weights.ts';

const { quick, only, rounds, participants, days } = new Command('npm run bench --')
  .description(
    'Measures everything in one run, and writes docs/performance.md. Only the ratios mean something on another machine.',
  )
  .option(
    '--quick',
    'fewer rounds, no other frameworks, and nothing is written: it shows that the benchmark runs',
    false,
  )
  .addOption(
    new Option('--only <part>', 'one part, and nothing is written').choices([
      'replacements',
      'fairness',
      'broadcast',
      'research-export',
      'addresses',
      'start',
      'throughput',
      'functions',
    ]),
  )
  .option('--rounds <number>', 'of replacements', '60')
  .option('--participants <number>', 'of research-export', '50')
  .option('--days <number>', 'of research-export', '30')
  .parse()
  .opts<{ quick: boolean; only?: string; rounds: string; participants: string; days: string }>();
for (const [name, value] of Object.entries({ rounds, participants, days })) {
  if (!(Number(value) > 0)) throw new Error(`--${name} must be a number above 0`);
}
const effort: Effort = quick
  ? { coldRounds: 2, warmRounds: 1, batches: 2, warmUpBatches: 1, batchSize: 50 }
  : { coldRounds: 21, warmRounds: 5, batches: 3, warmUpBatches: 5, batchSize: 100 };
const sections: string[] = [];

function tell(section: string): void {
  console.log(`${section}\n`);
  sections.push(section);
}

async function* functions(folder: string): AsyncGenerator<Section> {
  const variants = await buildVariants(folder, !quick);
  const stub = await startTlsStub(folder);
  try {
    const empty = { operation: 'list-agreements', build: 'bare SDK', file: emptyFunction(folder) } as const;
    const measured = await sideBySide([...variants, empty], stub, effort);
    const ofEmpty = measured.pop();
    if (!ofEmpty) throw new Error('nothing was measured');
    yield* comparison(measured, ofEmpty, effort);
    yield await weights(folder, stub, quick ? 1 : 7);
  } finally {
    await stub.close();
  }
}

async function rewrites(folder: string): Promise<Section> {
  const stub = await startTlsStub(folder);
  try {
    return await replacements(folder, stub, quick ? 2 : Number(rounds));
  } finally {
    await stub.close();
  }
}

/** A benchmark of its own, that prints its table. */
function gateway(): string {
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'gateway.ts')], { encoding: 'utf8' });
  // Its first line is the machine's, which stands above.
  return `## The local gateway\n\n${output.trim().split('\n').slice(1).join('\n').trim()}`;
}

async function everything(folder: string): Promise<void> {
  if (!quick) installTool(join(import.meta.dirname, '..', 'tools', 'peers'));
  tell(written(circumstances(!quick)));
  for await (const section of functions(folder)) tell(written(section));
  tell(written(await (quick ? throughput(1, 25, false) : throughput(5, 100, true))));
  tell(written(answers(folder)));
  if (quick) return;
  tell(written(await delivery()));
  tell(written(await fairness({ seconds: 30 })));
  tell(written(await broadcast({ members: 10_000 })));
  tell(written(await startTimes(folder, 3)));
  tell(gateway());
  writeDocument(sections);
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  if (only === 'fairness') tell(written(await fairness({ seconds: 30 })));
  else if (only === 'broadcast') tell(written(await broadcast({ members: 10_000 })));
  else if (only === 'addresses') {
    tell(written(circumstances(false)));
    tell(written(await addresses({ rounds: 200 })));
  } else if (only === 'start') {
    tell(written(circumstances(false)));
    tell(written(await startTimes(folder, 3)));
  } else if (only === 'throughput') {
    installTool(join(import.meta.dirname, '..', 'tools', 'peers'));
    tell(written(await throughput(5, 100, true)));
  } else if (only === 'functions') {
    tell(written(circumstances(false)));
    tell(written(allFunctions()));
  } else if (only === 'research-export') {
    tell(written(circumstances(false)));
    tell(written(await researchExport({ participants: Number(participants), days: Number(days) })));
  } else if (only === undefined) await everything(folder);
  else {
    tell(written(circumstances(false)));
    tell(written(await rewrites(folder)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
