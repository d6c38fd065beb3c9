import { historyOf } from './histories.ts';
import { openStand } from './stand.ts';

/**
 * `node test/ledger/measure.ts 1000000 [http://localhost:8000]`: loads so many records, in chains of one to four, into the
 * DynamoDB of this process or another one, writes a checkpoint and checks. What it says is of this machine.
 */

const [wanted = '100000', endpoint] = process.argv.slice(2);
const stand = await openStand(endpoint === undefined ? {} : { endpoint });
const seconds = async <T>(what: string, act: () => Promise<T>) => {
  const began = performance.now();
  const result = await act();
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s, ${megabytes} MB at most so far`);
  return result;
};
let records = 0;
let chains = 0;
const next = () => {
  const batch = Array.from({ length: 500 }, () => historyOf(1 + (chains++ % 4)));
  records += batch.flat().length;
  return batch;
};
await seconds('loaded', async () => {
  const fill = async () => {
    while (records < Number(wanted)) await stand.load(next());
  };
  await Promise.all([fill(), fill(), fill(), fill()]);
});
console.log(await seconds('first checkpoint', () => stand.checkpoint()));
await stand.load(next());
console.log(await seconds('second checkpoint', () => stand.checkpoint()));
const verdict = await seconds('verified', () => stand.verify({ segments: 8, progress: (line) => console.log(line) }));
const { found, newest, ...figures } = verdict;
console.log(figures, newest?.number, found.length, Math.round(verdict.records / verdict.seconds), 'records/s');
await stand.close();
