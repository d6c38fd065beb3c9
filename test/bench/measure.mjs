import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * One function in a fresh process: CPU milliseconds of its load, of its first invocation, and of an invocation in each of
 * the batches that follow. JavaScript, since the compiler that strips types would be a part of what is measured; started
 * as a module, as Lambda's own runtime is. The function's log goes to /dev/null, the result to file descriptor 3.
 */

const { file, event, batches, batchSize } = JSON.parse(process.env.BENCH_WORK);
delete process.env.BENCH_WORK;

const context = { functionName: 'bench', awsRequestId: 'bench', getRemainingTimeInMillis: () => 10_000 };
const invoke = async (handler) => {
  const answer = await handler(structuredClone(event), context);
  // A failure would be fast, and mean nothing.
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode} ${answer.body}`);
  return answer;
};
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const started = cpu();
const { handler } = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : createRequire(file)(file);
const loaded = cpu();
const body = event && (await invoke(handler)).body;
const first = cpu();

const warm = [];
for (let batch = 0; batch < batches; batch += 1) {
  const before = cpu();
  for (let index = 0; index < batchSize; index += 1) await invoke(handler);
  warm.push((cpu() - before) / batchSize);
}
writeSync(3, JSON.stringify({ load: loaded - started, first: first - loaded, warm, body }));
// Kept-alive connections would hold the process.
process.exit(0);
