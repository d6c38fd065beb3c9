import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The common code of the emulated AWS services: each is an HTTP server of its own. */

export type ServiceOptions = {
  /** `DynamoDB`: the name with which it prints its own defects. */
  readonly name: string;
  /** 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** Any free port by default. */
  readonly port?: number | undefined;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /**
   * Answers an error that `answer` threw.
   *
   * @returns whether it was an error of the service; any other error is a defect of the emulator and is printed
   */
  readonly answerError: (error: unknown, request: IncomingMessage, response: ServerResponse) => boolean;
};

export type RunningService = { readonly url: string; readonly close: () => Promise<void> };

/** A request from this process, which needs no socket. Header names are in lower case. */
export type InnerRequest = {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};
export type InnerAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

type Receive = (request: InnerRequest) => Promise<InnerAnswer | null>;
const running = new Map<string, Receive>();

/** Whether a service of this process is at this address. */
export function isService(origin: string): boolean {
  return running.has(origin);
}

/**
 * Calls a service of this process.
 *
 * @param origin `http://127.0.0.1:41234`
 * @returns null where the service closed the connection; undefined where no service of this process is there
 */
export function callService(origin: string, request: InnerRequest): Promise<InnerAnswer | null> | undefined {
  return running.get(origin)?.(request);
}

export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { name, host = '127.0.0.1', port = 0, answer, answerError } = options;
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response).catch((error: unknown) => {
      // A client that left in the middle of a request waits for no answer, and nothing failed here.
      if (request.destroyed && !request.complete) return;
      if (!answerError(error, request, response)) console.error(`The local ${name} failed:`, error);
    });
  const server = createServer(serve);
  // SDK clients keep their sockets; a socket closed here just as one sends would look like a lost response.
  server.keepAliveTimeout = 0;
  await once(server.listen(port, host), 'listening');
  const { address, port: bound, family } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
  const waiting = new Set<Exchange>();
  running.set(url, (request) => {
    const exchange = new Exchange(request);
    waiting.add(exchange);
    void serve(exchange.request, exchange.response);
    return exchange.answered.finally(() => waiting.delete(exchange));
  });
  return {
    url,
    close: async () => {
      running.delete(url);
      for (const exchange of waiting) exchange.response.destroy();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A request without a socket and its answer, as far as the services use them. */
class Exchange {
  readonly answered: Promise<InnerAnswer | null>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;

  constructor({ method, url, headers, body }: InnerRequest) {
    const { promise, resolve } = Promise.withResolvers<InnerAnswer | null>();
    this.answered = promise;
    const request = {
      ...{ method, url, headers, complete: true, destroyed: false },
      resume: () => request,
      async *[Symbol.asyncIterator]() {
        if (body.length > 0) yield Buffer.from(body as string);
      },
    };
    let [status, given] = [200, {} as Record<string, unknown>];
    const response = {
      destroyed: false,
      writeHead: (code: number, more: object = {}) => {
        [status, given] = [code, { ...given, ...more }];
        return response;
      },
      end: (content: string | Uint8Array = '') => {
        const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]);
        const isBare = method === 'HEAD' || status === 204 || status === 304;
        resolve({ status, headers: Object.fromEntries(named), body: isBare ? '' : content });
        return response;
      },
      destroy: () => {
        response.destroyed = true;
        resolve(null);
        return response;
      },
    };
    this.request = request as unknown as IncomingMessage;
    this.response = response as unknown as ServerResponse;
  }
}
