import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { baseUrl } from '../api.ts';
import { hangMs } from '../hang.ts';
import { shellOf } from './pages.ts';

/** Runs the commands of a page, changed only where a test needs its own people. */

type Own = {
  /** The tokens of the test's own people by variable (`PATIENT`), so the rows of the seeded people do not change. */
  readonly tokens?: Readonly<Record<string, string>>;
  /** Other texts that are replaced. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

/**
 * Runs the commands below a marker on the tests' stage.
 *
 * @returns what the commands print
 * @throws an Error if a command fails, or if the page does not have a text that is replaced
 */
export async function runCommands(name: string, { tokens = {}, texts = {}, cwd }: Own = {}): Promise<string> {
  let shell = shellOf(name);
  const replace = (pattern: RegExp | string, own: string) => {
    const next = shell.replaceAll(pattern, () => own);
    if (next === shell) throw new Error(`the commands of ${name} do not have ${pattern}`);
    shell = next;
  };
  for (const [variable, token] of Object.entries(tokens)) {
    replace(new RegExp(`^${variable}=.*$`, 'gm'), `${variable}=${token}`);
  }
  for (const [text, own] of Object.entries(texts)) replace(text, own);
  replace('http://localhost:3000', new URL(baseUrl()).origin);
  return (await promisify(execFile)('sh', ['-ec', shell], { timeout: hangMs, cwd })).stdout;
}

/** Runs the commands. @returns the JSON that each command prints, with or without line breaks in between */
export async function answersOf(name: string, own: Own = {}) {
  const stdout = await runCommands(name, own);
  const lines = stdout.replaceAll('}{', '}\n{').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}
