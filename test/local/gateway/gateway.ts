import { connect } from 'node:net';
import type { InvokeResult } from '../../../lib/local/functions/result.ts';
import type { RequestEntry } from '../../../lib/local/gateway/exchange.ts';
import { type GatewayOptions, startGateway } from '../../../lib/local/gateway/gateway.ts';
import type { ApiModel, GatewayResponseModel, MethodModel, StageModel } from '../../../lib/local/model.ts';
import { hangMs } from '../../hang.ts';

type Event = Record<string, unknown> & { requestContext: Record<string, unknown>; headers: Record<string, string> };
type Handler = (event: Event, options: { requestId: string; timeoutMs: number }) => unknown;

export const arnOf = (name: string) => `arn:aws:lambda:eu-central-1:111122223333:function:${name}`;

/** A method with a function of the given name; `authorized` uses the authorizer `auth`. */
export function method(httpMethod: string, path: string, fn: string, more: Partial<MethodModel> = {}): MethodModel {
  const integration = { type: 'lambda' as const, functionArn: arnOf(fn), timeoutMs: 29_000 };
  return { httpMethod, path, authorizerId: null, apiKeyRequired: false, integration, ...more };
}

export const authorized = { authorizerId: 'auth' } as const;

export function gatewayResponse(
  responseType: string,
  statusCode: number | null,
  code: string,
  more = {},
): GatewayResponseModel {
  return { responseType, statusCode, headers: {}, body: JSON.stringify({ code, message: 'm', detail: null }), ...more };
}

export function api(more: Partial<ApiModel> = {}): ApiModel {
  return {
    id: 'sleep',
    name: 'sleepcare',
    stageName: 'de',
    authorizers: [
      {
        id: 'auth',
        type: 'TOKEN',
        functionArn: arnOf('authorizer'),
        identitySource: 'method.request.header.Authorization',
        cacheSeconds: 60,
        timeoutMs: 29_000,
      },
    ],
    methods: [method('GET', '/v1/things', 'echo'), method('ANY', '/v1/anything', 'echo')],
    gatewayResponses: [],
    throttle: null,
    usagePlans: [],
    ...more,
  };
}

export function stage(apis: ApiModel[], more: Partial<StageModel> = {}): StageModel {
  const nothing = { functions: [], rateLimits: [], tables: [], principals: [], userPools: [] };
  return { region: 'eu-central-1', accountId: '111122223333', ...nothing, apis, ...more } as StageModel;
}

export const success = (payload: unknown): InvokeResult => ({ ok: true, payload, initMs: null, durationMs: 1 });

export const failure = (
  kind: 'crash' | 'timeout' | 'error',
  errorMessage: string,
  errorType = 'Error',
): InvokeResult => ({
  ...{ ok: false, kind, errorType, errorMessage, trace: [], initMs: null, durationMs: 1 },
});

/** Answers with the event, unless a function of the name is given. */
export async function testGateway(
  model: StageModel | (() => StageModel),
  functions: Record<string, Handler> = {},
  more: Partial<GatewayOptions> = {},
) {
  const entries: RequestEntry[] = [];
  const calls: { name: string; event: Event; requestId: string }[] = [];
  const gateway = await startGateway({
    model: typeof model === 'function' ? model : () => model,
    port: 0,
    host: '127.0.0.1',
    rateLimit: false,
    onRequest: (entry) => void entries.push(entry),
    invoke: async (arn, event, options) => {
      const name = arn.split(':').at(-1) ?? '';
      calls.push({ name, event: event as Event, requestId: options.requestId });
      const result = await (functions[name] ?? echo)(event as Event, options);
      return isResult(result) ? result : success(result);
    },
    ...more,
  });
  return Object.assign(gateway, {
    entries,
    calls,
    fetch: (path: string, init?: RequestInit) => fetch(gateway.url + path, init),
    /** The event that an echoing function got. */
    event: async (path: string, init?: RequestInit) => (await (await fetch(gateway.url + path, init)).json()) as Event,
    /** Sends bytes as they are, and gives back all that came until the other side closed. */
    raw: (text: string | string[], options?: Exchanging) => exchangeBytes(gateway.port, text, options),
    [Symbol.asyncDispose]: () => gateway.close(),
  });
}

const isResult = (value: unknown): value is InvokeResult =>
  typeof value === 'object' && value !== null && 'ok' in value;

const echo: Handler = (event) => ({ statusCode: 200, body: JSON.stringify(event) });

/** What an authorizer returns. */
export function policy(effect: 'Allow' | 'Deny', resource: string | string[], more: object = {}) {
  const Statement = [{ Action: 'execute-api:Invoke', Effect: effect, Resource: resource }];
  return { principalId: 'user-1', policyDocument: { Version: '2012-10-17', Statement }, ...more };
}

type Exchanging = {
  /** Awaited before each further piece, with what came so far. */
  readonly between?: (answer: () => string) => Promise<unknown>;
  readonly readLate?: boolean;
};

async function exchangeBytes(
  port: number,
  text: string | string[],
  { between, readLate = false }: Exchanging = {},
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  // A reset throws away what was received and not yet read.
  if (readLate) socket.pause();
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
  });
  for (const [index, piece] of [text].flat().entries()) {
    if (index > 0) await between?.(() => answer);
    socket.write(piece, 'latin1');
  }
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), hangMs);
  await closed;
  clearTimeout(timer);
  return answer;
}
