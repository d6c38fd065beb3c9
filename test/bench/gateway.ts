import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { load } from './load.ts';
import { median, medianRatio } from './statistics.ts';

/**
 * `node test/bench/gateway.ts [rounds]`: the local gateway with an empty function against a bare node:http server, in one
 * run, interleaved, medians. Each server has a process of its own. `gateway` calls the function in its own process;
 * `gateway and function` sends each invocation to an execution environment and back, as `npm start` does: those processes,
 * the gateway and the asking client then share the cores, which the requests a second show and the gateway's CPU does not.
 */

const connections = 32;
const roundMs = 300;
const warmUpMs = 1500;
const rounds = Number(process.argv[2] ?? 25);
const path = '/dev/v1/empty';

type Server = { name: string; process: ChildProcess; port: number; rates: number[]; cpus: number[] };

async function start(name: string, kind = name): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'gateway-server.ts'), [kind]);
  const [port] = await once(child, 'message');
  return { name, process: child, port, rates: [], cpus: [] };
}

/** Microseconds so far. */
async function cpuOf({ process }: Server): Promise<number> {
  const answer = once(process, 'message');
  process.send('cpu');
  const [{ user, system }] = await answer;
  return user + system;
}

async function measure(server: Server): Promise<void> {
  const before = await cpuOf(server);
  const { answers, seconds } = await load(server.port, path, connections, roundMs);
  server.rates.push(answers / seconds);
  server.cpus.push(((await cpuOf(server)) - before) / answers);
}

console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${new Date().toISOString()}`);
// The control: the same server twice, to tell a difference from noise.
const servers = [await start('bare'), await start('bare again', 'bare')];
servers.push(await start('gateway'), await start('gateway and function'));
try {
  for (const { port } of servers) await load(port, path, connections, warmUpMs);
  for (let round = 0; round < rounds; round += 1) {
    // Whoever comes first in a round would be favoured or not by what else the machine does: they take turns.
    for (let index = 0; index < servers.length; index += 1) {
      const server = servers[(round + index) % servers.length];
      if (server) await measure(server);
    }
  }
} finally {
  for (const server of servers) server.process.disconnect();
}
const bare = servers[0];
console.log(`\n${connections} connections, median of ${rounds} rounds of ${roundMs} ms\n`);
console.log('| server | requests a second | ratio | its CPU, µs a request | ratio |\n|---|---|---|---|---|');
for (const { name, rates, cpus: costs } of servers) {
  const ratio = medianRatio(rates, bare?.rates ?? []);
  const cpuRatio = medianRatio(bare?.cpus ?? [], costs);
  const row = [median(rates).toFixed(0), ratio.toFixed(2), median(costs).toFixed(1), cpuRatio.toFixed(2)];
  console.log(`| ${name.padEnd(20)} | ${row.join(' | ')} |`);
}
