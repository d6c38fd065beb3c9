import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import type { Section } from './report.ts';

/**
 * Every function of the local stage once, then warm, then in a second environment: its code is compiled by then, and nothing else of
 * it is there. All with an event that is no request, so that they do little besides loading.
 */

type Measured = {
  readonly functions: number;
  readonly first: number;
  readonly warm: number;
  readonly second: number;
  readonly mebibytes: number;
};

/** In a process of its own, with the flags that `npm start` gives to Node. */
export function allFunctions(): Section {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const flags = String(scripts.start).match(/--\S+=\d+/g) ?? [];
  const output = execFileSync(process.execPath, [...flags, import.meta.filename], { encoding: 'utf8' });
  const { functions, first, warm, second, mebibytes }: Measured = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  return {
    title: 'All functions called once',
    text: `The CPU of a call of each of the ${functions} functions of the local stage, the mean of all in ms, and the memory (PSS) of the stage's process after their first calls.`,
    tables: [
      {
        head: ['', '', 'limit'],
        rows: [
          ['first call, with compilation', first.toFixed(1), ''],
          ['first call of another environment, above a warm one', (second - warm).toFixed(1), '5'],
          ['warm call', warm.toFixed(1), ''],
          ['MiB', mebibytes.toFixed(0), '400'],
        ],
      },
    ],
  };
}

async function measure(): Promise<Measured> {
  const stage = await startStage({ port: 0, rateLimit: false, seed, onLog: () => undefined });
  const { functions } = stage.model();
  const cost = async (call: (arn: string) => Promise<unknown>) => {
    const before = process.cpuUsage();
    for (const { arn } of functions) await call(arn);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / functions.length;
  };
  const first = await cost((arn) => stage.invoke(arn, {}));
  const kibibytes = Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1]);
  const warm = await cost((arn) => stage.invoke(arn, {}));
  const both = await cost((arn) => Promise.all([stage.invoke(arn, {}), stage.invoke(arn, {})]));
  await stage.close();
  return { functions: functions.length, first, warm, second: both - warm, mebibytes: kibibytes / 1024 };
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await measure()));
  process.exit(0);
}
