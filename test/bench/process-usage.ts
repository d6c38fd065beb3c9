import { readdirSync } from 'node:fs';
import { textOf } from './process-tree.ts';

/** What the processes of one function use, as Linux counts it. */

export type Usage = { readonly processes: number; readonly peakMebibytes: number; readonly cpuSeconds: number };

const everyMs = 250;
/** Of `/proc/<pid>/stat`, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** @returns what was used from here on, by each process that was there at a look; ends with the call */
export function watchProcesses(functionArn: string): () => Usage {
  const seen = new Map<string, { peakMebibytes: number; cpuSeconds: number }>();
  const look = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const command = textOf(`/proc/${pid}/cmdline`).split('\0');
      if (!command.includes(functionArn)) continue;
      const peak = /^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1];
      // After the name in brackets, which can have blanks: utime and stime are the 12th and 13th.
      const [utime, stime] = (textOf(`/proc/${pid}/stat`).split(') ')[1] ?? '').split(' ').slice(11, 13).map(Number);
      if (peak === undefined || utime === undefined || stime === undefined) continue;
      seen.set(pid, { peakMebibytes: Number(peak) / 1024, cpuSeconds: (utime + stime) / ticksPerSecond });
    }
  };
  look();
  const timer = setInterval(look, everyMs);
  return () => {
    clearInterval(timer);
    look();
    const all = [...seen.values()];
    return {
      processes: all.length,
      peakMebibytes: Math.max(0, ...all.map(({ peakMebibytes }) => peakMebibytes)),
      cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    };
  };
}
