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

export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { name, host = '127.0.0.1', port = 0, answer, answerError } = options;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A client that left in the middle of a request waits for no answer, and nothing failed here.
      if (request.destroyed && !request.complete) return;
      if (!answerError(error, request, response)) console.error(`The local ${name} failed:`, error);
    });
  });
  // SDK clients keep their sockets; a socket closed here just as one sends would look like a lost response.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const { address, port: bound, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
