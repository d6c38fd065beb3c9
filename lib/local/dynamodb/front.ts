import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Call, type Denial, denied, type Fault, faultOf, parseCall, readBody, relay, send } from './calls.ts';
import { type Engine, openEngine } from './engine.ts';
import { failure, isFailure } from './failures.ts';
import { type Forward, openForward } from './forward.ts';

export type { Call, Denial, Fault } from './calls.ts';

export type DynamoDbOptions = {
  /** LevelDB folder; absent = in memory. */
  dataDir?: string | undefined;
  /** An external DynamoDB; this front then only authorizes, injects faults and forwards. */
  endpoint?: string | undefined;
  /** AWS's AccessDeniedException when it returns something. */
  authorize?: ((call: Call) => Denial | undefined) | undefined;
  /** For tests: what shall go wrong with this call. */
  intercept?: ((call: Call) => Fault | undefined) | undefined;
  port?: number | undefined;
  host?: string | undefined;
  /** Of the tables' ARNs. */
  region?: string | undefined;
  accountId?: string | undefined;
};

export type DynamoDb = {
  url: string;
  /**
   * Calls `listener` with the ARN of each stream that has new records, once for a burst of them: a poller may wait for
   * that in place of asking all the time. Absent with an external endpoint, so a poller must also work without. The
   * records are GetRecords' to give, which waits until they are on disk. Returns how to stop.
   */
  onCommit?: (listener: (streamArn: string) => void) => () => void;
  close(): Promise<void>;
};

/** Starts the local stage's DynamoDB: AWS's JSON protocol over HTTP, on this process's engine or an external one. */
export async function startDynamoDb(options: DynamoDbOptions = {}): Promise<DynamoDb> {
  const { endpoint, host = '127.0.0.1', port = 0 } = options;
  const backend = endpoint ? openForward(endpoint) : await openEngine(options);
  const server = createServer((request, response) => {
    answer(request, response, backend, options).catch((error: unknown) => sendError(response, error));
  });
  // SDK clients keep their sockets; a socket closed here just as one sends would look like a lost response.
  server.keepAliveTimeout = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    await backend.close();
    throw error;
  }
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    ...('execute' in backend ? { onCommit: backend.onCommit } : {}),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await backend.close();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  backend: Engine | Forward,
  { authorize, intercept }: DynamoDbOptions,
): Promise<void> {
  if (request.method === 'GET') {
    response.end('healthy: dynamodb ');
    return;
  }
  const body = await readBody(request);
  const call = parseCall(request, body);
  const denial = authorize?.(call);
  if (denial) throw denied(denial);
  const fault = intercept?.(call);
  if (fault === 'hang') return;
  if (fault === 'garbage') {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('<html>not JSON');
    return;
  }
  if (fault === 'throttle' || fault === 'conflict' || fault === 'error') {
    const error = faultOf(fault, call);
    if (error) throw error;
  }
  try {
    if ('execute' in backend) send(response, 200, await backend.execute(call.action, call.input), fault);
    else relay(response, await backend.send(request.headers, body), fault);
  } catch (error) {
    if (fault !== 'lose-response') throw error;
    response.destroy();
  }
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  if (isFailure(error)) {
    send(response, error.statusCode, error.body);
    return;
  }
  console.error('The local DynamoDB failed:', error);
  const { body } = failure('InternalServerError', 'Internal server error');
  send(response, 500, body);
}
