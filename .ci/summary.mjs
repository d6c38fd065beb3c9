// What the runs of vitest took and found: seconds for each folder of test/, then the plain closing line.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

const runs = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const [first] = runs;

/** Of a worker, not of the wall clock: four files run at a time. */
const seconds = new Map();
for (const { name, startTime, endTime } of first.testResults) {
  const [, folder] = relative(process.cwd(), name).split(sep);
  seconds.set(folder, (seconds.get(folder) ?? 0) + (endTime - startTime) / 1000);
}
const rows = [...seconds].toSorted(([, one], [, other]) => other - one);
console.log(`\nnpm test, seconds of a worker by folder (budget of a new domain: 8)`);
for (const [folder, taken] of rows) console.log(`${taken.toFixed(1).padStart(7)} ${folder}`);

const sum = (field) => runs.reduce((total, run) => total + run[field], 0);
console.log(`\n${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed, ${sum('numPendingTests')} skipped`);
