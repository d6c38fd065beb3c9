import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnHost } from '../page/hosts.ts';
import type { Denial } from '../service/failure.ts';
import { answerCall, sendGarbage } from '../service/faults.ts';
import { readBody } from '../service/request.ts';
import { startService } from '../service/service.ts';
import { isSigned } from '../service/signature.ts';
import {
  type Call,
  conflictOf,
  denied,
  type Fault,
  garbage,
  internal,
  maximumBytes,
  parseCall,
  relay,
  send,
  signatureInvalid,
  throttledBy,
  tooLarge,
} from './calls.ts';
import { type Engine, openEngine } from './engine.ts';
import { isFailure } from './failures.ts';
import { type Forward, openForward, type Reply } from './forward.ts';

export type { Call, Fault } from './calls.ts';

export type DynamoDbOptions = {
  /** LevelDB folder; absent = in memory. */
  dataDir?: string | undefined;
  /** An external DynamoDB; this front then only authorizes, injects faults and forwards. */
  endpoint?: string | undefined;
  /**
   * Refuses calls that are not signed with this machine's secret, and calls whose Host header is not one of its names.
   */
  verifiesCalls?: boolean | undefined;
  /** A returned denial becomes AWS's AccessDeniedException. */
  authorize?: ((call: Call) => Denial | undefined) | undefined;
  /** For tests: returns the fault for this call. A promise delays the call until it resolves. */
  intercept?: ((call: Call) => Fault | undefined | Promise<Fault | undefined>) | undefined;
  /** For tests: called with the consumed capacity of each call, by table. Not called with an external endpoint. */
  onConsumed?: ((call: Call, consumed: readonly Consumed[]) => void) | undefined;
  /** Whether the time to live may delete rows of this table; always, by default. */
  mayExpire?: ((tableName: string) => boolean) | undefined;
  port?: number | undefined;
  host?: string | undefined;
  /** The region in the tables' ARNs. */
  region?: string | undefined;
  accountId?: string | undefined;
};

/** In capacity units, by which the requests of an on-demand table are billed. */
export type Consumed = { TableName: string; CapacityUnits: number };

export type DynamoDb = {
  url: string;
  /**
   * Calls `listener` with the ARN of each stream that has new records, once for each burst. A poller can wait for this
   * call and need not ask all the time. Absent with an external endpoint, so a poller must also work without it.
   * GetRecords returns the records and waits until they are on disk. Returns a function that stops the calls.
   */
  onCommit?: (listener: (streamArn: string) => void) => () => void;
  /**
   * The position of the newest record in the table's stream; undefined if no stream is open. Absent with an external
   * endpoint.
   */
  newestRecord?: (tableName: string) => string | undefined;
  /**
   * Deletes now the rows whose time to live has passed. This also happens once a minute. Absent with an external
   * endpoint, which deletes its rows itself.
   *
   * @param now milliseconds since 1970
   * @returns the number of deleted rows
   */
  expire?: (now?: number) => Promise<number>;
  close(): Promise<void>;
};

/** On AWS it takes "a few days" at most. */
const expiryEveryMs = 60_000;

/** Starts the local stage's DynamoDB: AWS's JSON protocol over HTTP, on this process's engine or an external one. */
export async function startDynamoDb(options: DynamoDbOptions = {}): Promise<DynamoDb> {
  const { endpoint, host, port, mayExpire = () => true } = options;
  const backend = endpoint ? openForward(endpoint) : await openEngine(options);
  const service = await startService({
    name: 'DynamoDB',
    host,
    port,
    answer: (request, response) => answer(request, response, backend, options),
    answerError: (error, _, response) => {
      const isOwn = isFailure(error);
      const { statusCode, body } = isOwn ? error : internal();
      if (!response.destroyed) send(response, statusCode, body);
      return isOwn;
    },
  }).catch(async (error: unknown) => {
    await backend.close();
    throw error;
  });
  const expire = 'execute' in backend ? (now = Date.now()) => backend.expire(now, mayExpire) : undefined;
  const sweeps = setInterval(() => {
    expire?.().catch((error: unknown) => console.error('The time to live of the local DynamoDB failed:', error));
  }, expiryEveryMs).unref();
  return {
    url: service.url,
    ...('execute' in backend ? { onCommit: backend.onCommit, newestRecord: backend.newestRecord } : {}),
    ...(expire ? { expire } : {}),
    async close() {
      clearInterval(sweeps);
      await service.close();
      await backend.close();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  backend: Engine | Forward,
  { authorize, intercept, onConsumed, verifiesCalls = false, host = '127.0.0.1' }: DynamoDbOptions,
): Promise<void> {
  if (request.method === 'GET') {
    response.end('healthy: dynamodb ');
    return;
  }
  const body = await readBody(request, maximumBytes, tooLarge);
  const call = parseCall(request, body);
  // A foreign page whose name resolves to this machine sends that name in the Host header.
  const isOwn = !verifiesCalls || (isOwnHost(request.headers.host, host) && isSigned(request.headers, body));
  if (!isOwn) throw signatureInvalid();
  const denial = authorize?.(call);
  if (denial) throw denied(denial);
  const fault = await intercept?.(call);
  const conflict = fault === 'conflict' ? conflictOf(call) : undefined;
  if (conflict) throw conflict;
  await answerCall({
    response,
    fault: fault === 'conflict' || fault === 'garble-response' ? undefined : fault,
    errors: { throttle: () => throttledBy(call), error: internal },
    garbage,
    perform: async () => {
      if (!('execute' in backend)) return backend.send(request.headers, body);
      const metered = onConsumed ? { ...call.input, ReturnConsumedCapacity: 'TOTAL' } : call.input;
      const output = await backend.execute(call.action, metered);
      const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Consumed | Consumed[] };
      onConsumed?.(call, [ConsumedCapacity].flat());
      return output;
    },
    send: (result) => {
      if (fault === 'garble-response') sendGarbage(response, garbage);
      else if ('execute' in backend) send(response, 200, result);
      else relay(response, result as Reply);
    },
  });
}
