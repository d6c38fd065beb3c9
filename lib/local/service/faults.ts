import type { ServerResponse } from 'node:http';

/**
 * The faults that a test can set for a call of any service: 'throttle' and 'error' are the service's own errors, 'hang'
 * never answers, 'garbage' sends an unreadable answer, and 'lose-response' executes the call and then destroys the
 * socket.
 */
export type Fault = 'throttle' | 'error' | 'hang' | 'garbage' | 'lose-response';

export type Garbage = { readonly contentType: string; readonly body: string };

export type Answering<T> = {
  readonly response: ServerResponse;
  readonly fault: Fault | undefined;
  readonly errors: Readonly<Record<'throttle' | 'error', () => Error>>;
  readonly garbage: Garbage;
  readonly perform: () => Promise<T> | T;
  readonly send: (result: T) => void;
};

export const notJson = '<html>not JSON';
export const notXml = '{"not": XML';

/**
 * Executes a call, or the fault that a test set for it.
 *
 * @throws the error that the service answers instead of a result
 */
export async function answerCall<T>(call: Answering<T>): Promise<void> {
  const { response, fault, errors, garbage, perform, send } = call;
  if (fault === 'hang') return;
  if (fault === 'throttle' || fault === 'error') throw errors[fault]();
  if (fault === 'garbage') return sendGarbage(response, garbage);
  if (fault === undefined) return send(await perform());
  try {
    await perform();
  } finally {
    response.destroy();
  }
}

export function sendGarbage(response: ServerResponse, { contentType, body }: Garbage): void {
  response.writeHead(200, { 'content-type': contentType }).end(body);
}
