import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FunctionHost, type FunctionHostOptions, startFunctions } from '../../../lib/local/functions/host.ts';
import type { FunctionModel } from '../../../lib/local/model.ts';

/** A function whose bundle is written to a folder of its own. */
export function bundle(source: string, settings: Partial<FunctionModel> = {}): FunctionModel {
  const codeDir = mkdtempSync(join(tmpdir(), 'function-'));
  folders.add(codeDir);
  writeFileSync(join(codeDir, 'index.mjs'), source);
  count += 1;
  const name = `f-${count}`;
  return {
    name,
    arn: `arn:aws:lambda:eu-central-1:111122223333:function:${name}`,
    operation: name,
    codeDir,
    handler: 'index.handler',
    environment: {},
    // Nothing that is to succeed comes near it; what is to time out sets its own.
    timeoutMs: 60_000,
    memoryMb: 256,
    roleArn: 'arn:aws:iam::111122223333:role/f',
    ...settings,
  };
}

let count = 0;
const folders = new Set<string>();

/** Source of an async function: it waits until the file is there, by which a test says when a handler goes on. */
export const fileIsThere = `const fileIsThere = async (path) => {
  const { existsSync } = await import('node:fs');
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 5));
};`;

type Log = { name: string; requestId: string | null; line: string };

/** A host that keeps what was logged, and is closed at the end of its block. */
export function testHost(options: Partial<FunctionHostOptions> = {}) {
  const logs: Log[] = [];
  const host = startFunctions({
    variables: () => ({}),
    onLog: (fn, requestId, line) => void logs.push({ name: fn.name, requestId, line }),
    ...options,
  });
  return Object.assign(host, {
    logs,
    [Symbol.asyncDispose]: async () => {
      await host.close();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      folders.clear();
    },
  }) satisfies FunctionHost;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that ended is listed until its new parent asks for it.
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
