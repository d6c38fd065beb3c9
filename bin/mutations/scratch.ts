import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** A copy of the project's HEAD in a temporary folder, in which mutations are planted and tests run. */

/** A failed test; `file` is null where the run as a whole failed. */
export type FailedTest = { readonly file: string | null; readonly title: string };

export type Script = 'test' | 'test:slow';

export type Scratch = {
  readonly folder: string;
  readonly git: (args: readonly string[], input?: string) => string;
  /** As committed, without what a run left. */
  readonly reset: () => void;
  readonly compiles: () => Promise<boolean>;
  /** @returns the first failed test; null where all pass */
  readonly firstFailure: (script: Script, paths: readonly string[]) => Promise<FailedTest | null>;
  /** @returns a failed test of each file that has one */
  readonly failures: (script: Script) => Promise<FailedTest[]>;
  /** Ends what runs in it. */
  readonly remove: () => void;
};

/** A planted fault may make an endless loop. The slow tests alone take a quarter of an hour. */
const limitMs = { test: 20 * 60_000, 'test:slow': 60 * 60_000 };
const limitOfFolderMs = 5 * 60_000;
const compile = ['--incremental', '--tsBuildInfoFile', '.cache/tsconfig.tsbuildinfo'];
const toolPackages = ['bin/tools/*/node_modules', 'test/tools/*/node_modules'];
/** Templates and bundles, which take half a minute to make. Their folders are named by the content of their sources. */
const made = ['.cache/code', '.cache/template-tests'];
/** What may stay between two mutations: it knows what it was made from. */
const kept = [
  'node_modules',
  ...toolPackages,
  '.cache/*.tsbuildinfo',
  '.cache/compiled',
  '.cache/stages',
  '.cache/bundles',
  ...made,
];
/** Of each; those without a mutation are used again and again, so they are among them. */
const newest = 6;

export function scratchCopy(root: string): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  const report = join(folder, '.cache', 'judged.json');
  let running: ChildProcess | null = null;
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { cwd: folder, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  const reset = () => {
    git(['checkout', '--quiet', '--force', 'HEAD', '--', '.']);
    git(['clean', '-fdxq', ...kept.flatMap((path) => ['-e', `/${path}`])]);
    for (const path of made) prune(join(folder, path));
  };

  /** In a process group of its own, so that all of it can be ended. */
  async function run(
    file: string,
    args: readonly string[],
    ms: number,
  ): Promise<{ code: number | null; output: string }> {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
    const env = { ...Object.fromEntries(own), CI: 'true', NO_COLOR: '1', FORCE_COLOR: '0' };
    const child = spawn(file, args, { cwd: folder, env, detached: true });
    running = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => end(child), ms);
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    clearTimeout(timer);
    running = null;
    return { code, output };
  }

  /** Packages are linked, as they are 600 MB; what vitest writes among them is not shared. */
  function clone(): void {
    execFileSync('git', ['clone', '--quiet', '--shared', root, folder]);
    for (const packages of globSync(['node_modules', ...toolPackages], { cwd: root })) {
      try {
        execFileSync('cp', ['-al', join(root, packages), join(folder, packages)], { stdio: 'ignore' });
      } catch {
        // Another file system, or a `cp` without links.
        cpSync(join(root, packages), join(folder, packages), { recursive: true, verbatimSymlinks: true });
      }
    }
    for (const cache of ['.vite', '.vite-temp', '.vitest-cache', '.cache'])
      rmSync(join(folder, 'node_modules', cache), { recursive: true, force: true });
    // What tsc knows of the sources: the first check is then as fast as the others.
    for (const types of globSync('.cache/*.tsbuildinfo', { cwd: root })) cpSync(join(root, types), join(folder, types));
  }

  async function tested(script: Script, paths: readonly string[], more: readonly string[]): Promise<FailedTest[]> {
    rmSync(report, { force: true });
    // Two workers: more would wait for each other. A test that fails twice fails because of the fault.
    const options = [
      '--maxWorkers=2',
      '--retry=1',
      '--passWithNoTests',
      '--reporter=json',
      `--outputFile=${report}`,
      ...more,
    ];
    const ms = paths.length > 0 && script === 'test' ? limitOfFolderMs : limitMs[script];
    // `npm test` leaves files to CI, unless a folder is named.
    const named = paths.length > 0 || script !== 'test' ? paths : ['test/'];
    const { code, output } = await run('npm', ['run', '--silent', script, '--', ...named, ...options], ms);
    if (code === 0) return [];
    const failed = existsSync(report) ? failuresIn(report, folder) : [];
    return failed.length > 0 ? failed : [{ file: null, title: code === null ? 'the run hung' : lastLine(output) }];
  }

  clone();
  return {
    folder,
    git,
    reset,
    compiles: async () => (await run('node_modules/.bin/tsc', compile, limitOfFolderMs)).code === 0,
    firstFailure: async (script, paths) => (await tested(script, paths, ['--bail=1']))[0] ?? null,
    failures: (script) => tested(script, [], []),
    remove: () => {
      if (running) end(running);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function prune(folder: string): void {
  if (!existsSync(folder)) return;
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const byAge = paths.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const path of byAge.slice(newest)) rmSync(path, { recursive: true, force: true });
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

function failuresIn(report: string, folder: string): FailedTest[] {
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const files = testResults.map((each) => ({ ...each, file: relative(folder, each.name) }));
  const tests = files.flatMap(({ file, assertionResults }) => {
    const first = assertionResults.find(({ status }) => status === 'failed');
    return first ? [{ file, title: first.fullName }] : [];
  });
  // Files that were under way when another test failed count as failed, too, without a message.
  const wholes = files.filter(({ status, message }) => status === 'failed' && message);
  const others = wholes.filter(({ file }) => !tests.some((test) => test.file === file));
  return [...tests, ...others.map(({ file, message }) => ({ file, title: message?.split('\n')[0] ?? '' }))];
}

/** What a run says last is why it failed. */
function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.findLast((line) => /error/i.test(line)) ?? lines.findLast((line) => line !== '') ?? '';
}
