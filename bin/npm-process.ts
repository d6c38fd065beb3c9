import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const intervalMs = 250;

/**
 * Calls back once when the npm that runs this script has ended. npm runs a script through `sh -c`. A SIGTERM to npm ends
 * npm and that shell, a SIGHUP npm only, and no signal reaches the script: it would continue to run and keep its ports.
 * Does nothing if npm did not start this process, and on Windows, which has neither signal.
 */
export function onNpmEnded(callback: () => void): void {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const shell = process.ppid;
  const npm = npmAbove(shell);
  const timer = setInterval(() => {
    // When a parent ends, its process gets another parent.
    if (process.ppid === shell && (npm === null || isRunning(npm))) return;
    clearInterval(timer);
    callback();
  }, intervalMs);
  timer.unref();
}

/** npm is the parent, or the parent of the shell. Null if `ps` does not show it; then only the shell is watched. */
function npmAbove(shell: number): number | null {
  try {
    const { parent, title } = processOf(shell);
    if (isNpm(title)) return shell;
    return isNpm(processOf(parent).title) ? parent : null;
  } catch {
    return null;
  }
}

function processOf(pid: number): { parent: number; title: string } {
  const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [, parent = '', title = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
  return { parent: Number(parent), title };
}

/** npm sets its title: `npm start`, `npm run start`. */
const isNpm = (title: string): boolean => /^npm\b/.test(title);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, but it exists.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return !isDefunct(pid);
}

/** A process that ended is listed until its parent reads its result. */
function isDefunct(pid: number): boolean {
  try {
    return process.platform === 'linux' && /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It ended in the meantime, which the next look shows; or there is no /proc.
    return false;
  }
}
