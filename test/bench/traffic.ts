import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';

export type Ask = { readonly method: string; readonly path: string; readonly token: string };

export type Traffic = { readonly perSecond: number /** Milliseconds. */; readonly latencies: readonly number[] };

/**
 * Asks all, over kept-alive connections that each ask again as soon as they are answered.
 *
 * @throws where an answer is no 200: a failure would be fast, and mean nothing.
 */
export async function traffic(port: number, asks: readonly Ask[], connections: number): Promise<Traffic> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const began = performance.now();
  try {
    const latencies = await mapWithConcurrency(asks, connections, (ask) => answered(port, ask, agent));
    return { perSecond: asks.length / ((performance.now() - began) / 1000), latencies };
  } finally {
    agent.destroy();
  }
}

function answered(port: number, { method, path, token }: Ask, agent: Agent): Promise<number> {
  const began = performance.now();
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Language': 'de' };
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers }, async (response) => {
      const body = await text(response);
      if (response.statusCode === 200) resolve(performance.now() - began);
      else reject(new Error(`${method} ${path} answered ${response.statusCode} ${body}`));
    });
    asked.once('error', reject);
    asked.end();
  });
}
