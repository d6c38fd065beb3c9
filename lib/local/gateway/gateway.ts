import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type InvokeResult, invokeFailure } from '../functions/result.ts';
import type { StageModel } from '../model.ts';
import { errorAnswer, write } from './answer.ts';
import { createAuthorizers } from './authorizer.ts';
import { type Exchange, enterStage, entryOf, newExchange, type RequestEntry } from './exchange.ts';
import { answerMalformed } from './malformed.ts';
import { createPipeline } from './pipeline.ts';
import { compileStage } from './stage.ts';
import { parseTarget, type Target } from './target.ts';

type InvokeFunction = (
  functionArn: string,
  event: unknown,
  options: { requestId: string; timeoutMs: number },
) => Promise<InvokeResult>;

export type GatewayOptions = {
  /** Called for each request, so a watcher can replace the model. */
  readonly model: () => StageModel;
  readonly invoke: InvokeFunction;
  readonly port: number;
  readonly host: string;
  /** False turns off the firewall's rule and the stages' throttles, for load tests. Usage plans stay on. */
  readonly rateLimit: boolean;
  /** Answers `/_local…` before everything else and without limits; false if it has no such address. */
  readonly local?: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean | Promise<boolean>;
  /**
   * Milliseconds. The real clocks by default: wall time for time stamps, a monotonic clock for windows and durations.
   */
  readonly now?: () => number;
  readonly onRequest?: (entry: RequestEntry) => void;
};

export type Gateway = {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
  clearAuthorizerCache(): void;
};

// Above API Gateway's own limits (10,240 bytes of header values, 10,240 characters of URL), so those limits apply
// first.
const maximumHeadBytes = 48 * 1024;

/** API Gateway's REST APIs of a stage, with the firewall in front of them, on one port. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { model, local, onRequest } = options;
  const now = options.now ?? (() => performance.now());
  const wall = options.now ?? Date.now;
  compileStage(model());

  const invoke = (functionArn: string, event: unknown, requestId: string, timeoutMs: number) =>
    new Promise<InvokeResult | null>((resolve) => {
      // The function runs on, as on AWS, but nobody waits for it.
      const timer = setTimeout(() => resolve(null), timeoutMs).unref();
      const settle = (result: InvokeResult) => {
        clearTimeout(timer);
        resolve(result);
      };
      options
        .invoke(functionArn, event, { requestId, timeoutMs })
        .then(settle, (error: unknown) => settle(invokeFailure('crash', 'Error', String(error))));
    });
  const authorizers = createAuthorizers(invoke, now);
  const pipeline = createPipeline({ authorizers, invoke, now, rateLimit: options.rateLimit });

  const fail = (exchange: Exchange, error: unknown) => {
    exchange.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
    write(exchange, errorAnswer('INTERNAL'));
  };
  const report = (exchange: Exchange) => {
    try {
      onRequest?.(entryOf(exchange, now()));
    } catch (error) {
      console.error(error);
    }
  };

  async function handleLocal(exchange: Exchange, { path, query }: Target, answer: NonNullable<typeof local>) {
    try {
      const url = new URL(`http://${bracketed(options.host)}${path}`);
      url.search = query;
      const handled = await answer(exchange.request, exchange.response, url);
      if (!handled) write(exchange, errorAnswer('ROUTE_NOT_FOUND'));
    } catch (error) {
      fail(exchange, error);
      report(exchange);
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const target = parseTarget(request.url ?? '');
    const exchange = newExchange(request, response, target, now(), Math.floor(wall()));
    if (local && target && (target.path === '/_local' || target.path.startsWith('/_local/'))) {
      void handleLocal(exchange, target, local);
      return;
    }
    try {
      const stage = compileStage(model());
      enterStage(exchange, stage);
      const later = pipeline(exchange, stage);
      if (later) {
        const failed = (error: unknown) => {
          fail(exchange, error);
          report(exchange);
        };
        later.then(() => report(exchange), failed);
        return;
      }
    } catch (error) {
      fail(exchange, error);
    }
    report(exchange);
  }

  const server = createServer(
    {
      maxHeaderSize: maximumHeadBytes,
      // A missing Host header is answered here, in the common form of errors.
      requireHostHeader: false,
      requestTimeout: 60_000,
      headersTimeout: 30_000,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: 5000,
      noDelay: true,
    },
    handle,
  );
  server.maxHeadersCount = 0;
  // Node would answer 417 by itself to anything but 100-continue; API Gateway drops the header.
  server.on('checkExpectation', handle);
  answerMalformed(server);
  await once(server.listen(options.port, options.host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${bracketed(options.host)}:${port}`,
    port,
    clearAuthorizerCache: () => authorizers.clearCache(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A URL has an IPv6 address in brackets. */
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);
