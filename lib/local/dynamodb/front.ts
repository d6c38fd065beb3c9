import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Call,
  type Denial,
  denied,
  type Fault,
  faultOf,
  parseCall,
  readBody,
  relay,
  send,
  sendGarbage,
} from './calls.ts';
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
  /** For tests: told what each call consumed, by table; not with an external endpoint. */
  onConsumed?: ((call: Call, consumed: readonly Consumed[]) => void) | undefined;
  /** Whether the time to live may delete rows of this table; any unless given. */
  mayExpire?: ((tableName: string) => boolean) | undefined;
  port?: number | undefined;
  host?: string | undefined;
  /** Of the tables' ARNs. */
  region?: string | undefined;
  accountId?: string | undefined;
};

/** In capacity units, of which an on-demand table's requests are billed. */
export type Consumed = { TableName: string; CapacityUnits: number };

export type DynamoDb = {
  url: string;
  /**
   * Calls `listener` with the ARN of each stream that has new records, once for a burst of them: a poller may wait for
   * that in place of asking all the time. Absent with an external endpoint, so a poller must also work without. The
   * records are GetRecords' to give, which waits until they are on disk. Returns how to stop.
   */
  onCommit?: (listener: (streamArn: string) => void) => () => void;
  /** The place of the newest record in the table's stream, undefined where none is open. Absent with an external endpoint. */
  newestRecord?: (tableName: string) => string | undefined;
  /**
   * Deletes now what the tables' time to live asks for, which is done once a minute anyway. Absent with an external
   * endpoint, which does its own.
   *
   * @param now milliseconds since 1970
   * @returns how many rows went
   */
  expire?: (now?: number) => Promise<number>;
  close(): Promise<void>;
};

/** On AWS it takes "a few days" at most. */
const expiryEveryMs = 60_000;

/** Starts the local stage's DynamoDB: AWS's JSON protocol over HTTP, on this process's engine or an external one. */
export async function startDynamoDb(options: DynamoDbOptions = {}): Promise<DynamoDb> {
  const { endpoint, host = '127.0.0.1', port = 0, mayExpire = () => true } = options;
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
  const expire = 'execute' in backend ? (now = Date.now()) => backend.expire(now, mayExpire) : undefined;
  const sweeps = setInterval(() => {
    expire?.().catch((error: unknown) => console.error('The time to live of the local DynamoDB failed:', error));
  }, expiryEveryMs).unref();
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    ...('execute' in backend ? { onCommit: backend.onCommit, newestRecord: backend.newestRecord } : {}),
    ...(expire ? { expire } : {}),
    async close() {
      clearInterval(sweeps);
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
  { authorize, intercept, onConsumed }: DynamoDbOptions,
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
    sendGarbage(response);
    return;
  }
  if (fault === 'throttle' || fault === 'conflict' || fault === 'error') {
    const error = faultOf(fault, call);
    if (error) throw error;
  }
  try {
    if ('execute' in backend) {
      const metered = onConsumed ? { ...call.input, ReturnConsumedCapacity: 'TOTAL' } : call.input;
      const output = await backend.execute(call.action, metered);
      const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Consumed | Consumed[] };
      onConsumed?.(call, [ConsumedCapacity].flat());
      send(response, 200, output, fault);
    } else relay(response, await backend.send(request.headers, body), fault);
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
