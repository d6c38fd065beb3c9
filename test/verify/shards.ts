import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import type { Step } from '../../.ci/steps.mjs';
import { deployed } from '../deployed.config.ts';
import { asDeployed, seeds } from '../gate.config.ts';
import { filesThatRunAlone, slowFiles } from '../slow.config.ts';
import { leftToDeployed, leftToSlow, options, slow } from '../vitest.config.ts';

/** What proves something and is not in the gate, in parts: one for each folder of test/, and some commands. */

export type Shard = Pick<Step, 'name' | 'words' | 'minutes' | 'variables'> & {
  /** Its test files, or the files that its command begins with. */
  readonly files: readonly string[];
  readonly isTests: boolean;
  /** It keeps both cores busy itself, or its tests have the limits of AWS (patience 1), which a busy machine exceeds. */
  readonly isAlone: boolean;
  /** Its result follows from more than files: the day, the network, installed packages. */
  readonly isNeverKept?: boolean;
};

const inGate = new Set([...asDeployed, ...seeds]);

/** Every test file, below the root. */
export const testFiles = globSync('test/**/*.test.ts', { cwd: options.root, exclude: ['**/node_modules'] }).toSorted();

const left = new Set([...leftToDeployed, ...leftToSlow]);

/** What `npm test` runs when nothing is named. */
const inNpmTest = testFiles.filter((file) => !matchesGlob(file, slow) && !left.has(file));

export const gateFiles: readonly string[] = [...inNpmTest, ...inGate];

const command = (name: string, words: readonly string[], files: readonly string[], minutes = 20): Shard => {
  return { name, words: ['run', ...words], files, isTests: false, isAlone: true, minutes };
};

/** Checks of other shards need them. */
export const toolPackages = 'the packages of tools';

const commands: readonly Shard[] = [
  { ...command(toolPackages, ['cli', '--', 'install-tools'], []), isNeverKept: true },
  command('types of tools', ['check', '--', 'types'], []),
  { ...command('advisories', ['check', '--', 'advisories'], []), isNeverKept: true },
  command('bill of materials', ['cli', '--', 'sbom'], []),
  ...['dev', 'staging'].map((stage) =>
    command(`cdk synth of ${stage}`, ['synth', '--', '-c', `stage=${stage}`, '--output', `.cache/synth-${stage}`], []),
  ),
  command('planted faults', ['explore:planted', '--', '--seconds', '120'], ['test/explorer/planted.ts'], 60),
  command('weakened conditions', ['explore', '--', '--weaken', '--known'], ['test/explorer/explore.ts'], 60),
  command('bench', ['bench', '--', '--quick'], ['test/bench/bench.ts']),
];

export const shards: readonly Shard[] = [
  ...commands,
  ...byFolder('slow', slowFiles),
  ...byFolder('deployed', deployed),
];

function byFolder(kind: 'slow' | 'deployed', files: readonly string[]): Shard[] {
  const others = files.filter((file) => (kind === 'slow' ? !seeds.includes(file) : !asDeployed.includes(file)));
  const folders = Map.groupBy(others, (file) => file.split('/')[1] ?? '');
  return [...folders]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, tests]) => {
      return {
        name: `${kind} ${folder}`,
        words: ['run', `test:${kind}`, '--', ...tests],
        files: tests,
        isTests: true,
        isAlone: tests.some((file) => filesThatRunAlone.includes(file) || isImpatient(file)),
        minutes: 60,
      };
    });
}

function isImpatient(file: string): boolean {
  return /\bpatience: 1\b/.test(readFileSync(join(options.root, file), 'utf8'));
}
