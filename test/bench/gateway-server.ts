import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFunctions } from '../../lib/local/functions/host.ts';
import { type GatewayOptions, startGateway } from '../../lib/local/gateway/gateway.ts';
import type { FunctionModel } from '../../lib/local/model.ts';
import { api, method, stage, success } from '../local/gateway/gateway.ts';

/** One of the servers that `gateway.ts` compares, in a process of its own: tells its port, and its CPU time when asked. */

const arn = 'arn:aws:lambda:eu-central-1:111122223333:function:empty';

const servers: Record<string, () => Promise<number>> = {
  bare: () =>
    new Promise((resolve) => {
      const server = createServer((_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 }).end('{}');
      });
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    }),
  gateway: () => gatewayOver(async () => success({ statusCode: 200, body: '{}' })),
  'gateway and function': () => {
    const codeDir = mkdtempSync(join(tmpdir(), 'bench-empty-'));
    writeFileSync(join(codeDir, 'index.mjs'), "export const handler = async () => ({ statusCode: 200, body: '{}' });");
    process.once('exit', () => rmSync(codeDir, { recursive: true }));
    const fn: FunctionModel = {
      ...{ name: 'empty', arn, operation: 'empty', codeDir, handler: 'index.handler', environment: {} },
      ...{ timeoutMs: 10_000, memoryMb: 256, roleArn: '' },
    };
    const functions = startFunctions({ variables: () => ({}), onLog: () => undefined });
    process.once('disconnect', () => void functions.close().then(() => process.exit(0)));
    return gatewayOver((_, event, options) => functions.invoke(fn, event, options));
  },
};

async function gatewayOver(invoke: GatewayOptions['invoke']): Promise<number> {
  const model = stage([api({ stageName: 'dev', methods: [method('GET', '/v1/empty', 'empty')] })]);
  const options = { port: 0, host: '127.0.0.1', rateLimit: false, onRequest: () => undefined };
  const { port } = await startGateway({ ...options, model: () => model, invoke });
  return port;
}

const kind = process.argv[2] ?? '';
const start = servers[kind];
if (!start) throw new Error(`no server ${kind}`);
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => {
  if (kind !== 'gateway and function') process.exit(0);
});
process.send?.(await start());
