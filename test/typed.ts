import { execFile } from 'node:child_process';

export type Typed = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command of bin/cli.ts to its end, without npm. @param env replaces the variables of the tests */
export function typed(words: readonly string[], env = process.env, input = ''): Promise<Typed> {
  return new Promise((resolve) => {
    const options = { cwd: new URL('..', import.meta.url).pathname, env };
    const child = execFile(process.execPath, ['bin/cli.ts', ...words], options, (error, out, err) =>
      // Ended by a signal: no code.
      resolve({ code: error ? (child.exitCode ?? -1) : 0, out, err }),
    );
    child.stdin?.end(input);
  });
}
