import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * A shell that waits beside the host and kills the execution environments when the host is gone, even by SIGKILL. An
 * environment notices by itself that its pipe was closed, but not while its handler keeps the event loop busy. It is a
 * shell because a shell starts in 2 ms and needs 1 MB. A watchdog thread in each environment would add 13 ms to every
 * cold start.
 */
export type Guard = { watch(pid: number): void; forget(pid: number): void; close(): Promise<void> };

// Each environment leads a process group, so its own children die with it.
const script = `trap '' INT TERM HUP QUIT
pids=' '
while read -r sign pid; do
  case "$sign$pids" in
    +*) pids="$pids$pid " ;;
    *" $pid "*) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
for pid in $pids; do kill -9 "-$pid" 2>/dev/null; done
exit 0`;

export function startGuard(): Guard {
  // Detached: Ctrl-C in the terminal goes to the whole foreground group, but the guard must outlive the host.
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} });
  const ended = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve());
    // No shell (Windows): environments still end when their pipe closes.
    shell.once('error', () => resolve());
  });
  shell.stdin.on('error', () => {});
  // Neither the shell nor its pipe keeps an idle host alive.
  const input = shell.stdin as Socket;
  shell.unref();
  input.unref();
  return {
    watch: (pid) => void shell.stdin.write(`+ ${pid}\n`),
    forget: (pid) => void shell.stdin.write(`- ${pid}\n`),
    close: () => {
      shell.ref();
      shell.stdin.end();
      return ended;
    },
  };
}
