import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Denial, readBody } from './dynamodb/calls.ts';

/** A service of AWS's JSON protocol: https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html */

export type JsonInput = Readonly<Record<string, unknown>>;

export type JsonCall = {
  /** `Sign` */
  readonly action: string;
  readonly input: JsonInput;
  readonly accessKeyId: string;
  /** The ARN of what it is about. */
  readonly resource: string;
};

/** 'lose-response' executes the call and then destroys the socket. */
export type JsonFault = 'error' | 'throttle' | 'hang' | 'garbage' | 'lose-response';

export class JsonFailure extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** What tests and the template's policies may do to a call. */
export type JsonHooks = {
  readonly authorize?: ((call: JsonCall) => Denial | undefined) | undefined;
  readonly intercept?: ((call: JsonCall) => JsonFault | undefined) | undefined;
};

export type JsonService = {
  /** Before the action's name in X-Amz-Target: `TrentService`. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly actions: Readonly<Record<string, (input: JsonInput) => object>>;
  /** The ARNs that a call is about, one at least; all of them must be allowed. */
  readonly resourcesOf: (input: JsonInput) => readonly string[];
  readonly faults: Readonly<Record<'error' | 'throttle', JsonFailure>>;
};

export type RunningService = { readonly url: string; readonly close: () => Promise<void> };

export async function startJsonService(service: JsonService, hooks: JsonHooks): Promise<RunningService> {
  const server = createServer((request, response) => {
    answer(request, response, service, hooks).catch((error: unknown) => {
      if (!(error instanceof JsonFailure)) console.error(`The local ${service.target} failed:`, error);
      const { status, code, message } = error instanceof JsonFailure ? error : service.faults.error;
      send(response, service.version, { status, output: { __type: code, message } });
    });
  });
  // SDK clients keep their sockets; a socket closed here just as one sends would look like a lost response.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { target, version, actions, resourcesOf, faults }: JsonService,
  { authorize, intercept }: JsonHooks,
): Promise<void> {
  const [, action = ''] = String(request.headers['x-amz-target'] ?? '').split(`${target}.`);
  const perform = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!perform)
    throw new JsonFailure('UnknownOperationException', `${action} is not here: only what the stage uses is`);
  const input = inputOf(await readBody(request));
  // The signature is not verified: the key alone says whose policies apply.
  const accessKeyId = /Credential=([^/,\s]+)\//.exec(request.headers.authorization ?? '')?.[1];
  if (!accessKeyId) {
    throw new JsonFailure('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  }
  const resources = resourcesOf(input);
  for (const resource of resources) {
    const denial = authorize?.({ action, input, accessKeyId, resource });
    if (denial) throw denied(denial);
  }
  const fault = intercept?.({ action, input, accessKeyId, resource: resources[0] ?? '*' });
  if (fault === 'hang') return;
  if (fault === 'garbage') {
    response.writeHead(200, { 'content-type': `application/x-amz-json-${version}` }).end('<html>not JSON');
    return;
  }
  if (fault === 'error' || fault === 'throttle') throw faults[fault];
  const output = perform(input);
  if (fault === 'lose-response') response.destroy();
  else send(response, version, { status: 200, output });
}

function inputOf(body: Buffer): JsonInput {
  try {
    const input: unknown = JSON.parse(body.toString('utf8'));
    if (input && typeof input === 'object' && !Array.isArray(input)) return input as JsonInput;
  } catch {
    // Answered below, as AWS does.
  }
  throw new JsonFailure('SerializationException', 'Unexpected value type in payload');
}

function denied({ action, resource, principal = 'unknown', reason = '' }: Denial): JsonFailure {
  const sentence = `User: ${principal} is not authorized to perform: ${action} on resource: ${resource}`;
  return new JsonFailure('AccessDeniedException', `${sentence} ${reason}`.trimEnd());
}

function send(response: ServerResponse, version: string, { status, output }: { status: number; output: object }): void {
  if (response.destroyed) return;
  const body = Buffer.from(JSON.stringify(output));
  const headers = { 'content-type': `application/x-amz-json-${version}`, 'x-amzn-requestid': randomUUID() };
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}
