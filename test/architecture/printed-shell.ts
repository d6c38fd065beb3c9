import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { hangMs } from '../hang.ts';

/** What documents and tools print of `aws` and `curl`, typed into a shell where both only write down how they were called. */

const root = new URL('../..', import.meta.url).pathname;

export type Call = { readonly program: string; readonly words: readonly string[]; readonly printed: string };

/** A shell block of a page, or one command of a sentence or a tool. */
function printedShell(): string[] {
  const pages = ['README.md', 'lib/local/README.md', ...globSync('docs/**/*.md', { cwd: root }).sort()];
  const ofPages = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block);
    const inline = [...text.matchAll(/`((?:aws [\w-]+ [a-z]|curl )[^`]*)`/g)].map(([, command = '']) => command);
    return [...blocks.filter((block) => /\b(aws|curl) /.test(block)), ...inline];
  });
  const ofTools = globSync('bin/*.ts', { cwd: root })
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replace(/\$\{[^}]*\}/g, '1');
      return text.match(/\baws [a-z][\w-]+ [a-z][\w-]+(?: --[\w-]+ [^\s`;)']+)*/g) ?? [];
    });
  return [...new Set([...ofPages, ...ofTools].map(filledIn))];
}

/** What is left to who types it. */
function filledIn(shell: string): string {
  return shell.replace(/<[a-z][^>\n]*>/g, 'x').replaceAll('…', 'x');
}

/** One argument ends with the first of these characters, one call with the second; neither is ever typed. */
const [argumentEnd, callEnd] = ['\u001e', '\u001d'];
const fake = `#!/bin/sh
{ printf '%s\\036' "\${0##*/}" "$@"; printf '\\035'; } >> "$CALLS"
case "$*" in *BaseAddress*) printf http://localhost:3000/de/v1; exit ;; esac
printf '%s' '{"accessToken":"t","receipt":"r","exportId":"e","status":"done","name":"participants.csv","downloadUrl":"http://localhost:3000/f","code":"C","userId":"u","groupId":"g","broadcastId":"b","ticketId":"k","siteId":"s","studyId":"y","action":"delete","Items":[]}'
`;

/** @throws where the shell does not understand a block, or a name is not set */
export function printedCalls(): Call[] {
  const folder = mkdtempSync(join(tmpdir(), 'printed-'));
  try {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'fake'), fake);
    chmodSync(join(bin, 'fake'), 0o755);
    for (const program of ['aws', 'curl', 'npm', 'sam']) symlinkSync('fake', join(bin, program));
    return printedShell().flatMap((printed) => callsOf(printed, folder, bin));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function callsOf(printed: string, folder: string, bin: string): Call[] {
  const CALLS = join(folder, 'calls');
  writeFileSync(CALLS, '');
  const PATH = [bin, process.env.PATH].join(delimiter);
  // Set by what stands before it on its page.
  const before = { API: 'http://localhost:3000/de/v1', MEDINFO: 'http://localhost:3000/v2', TOKEN: 't' };
  execFileSync('sh', ['-u', '-c', printed], {
    cwd: folder,
    env: { ...before, PATH, CALLS },
    timeout: hangMs,
    stdio: 'pipe',
  });
  const calls = readFileSync(CALLS, 'utf8').split(callEnd).filter(Boolean);
  return calls.map((call) => {
    const [program = '', ...words] = call.split(argumentEnd).slice(0, -1);
    return { program, words, printed };
  });
}
