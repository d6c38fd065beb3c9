import { Readable } from 'node:stream';
import type { InnerAnswer, InnerRequest } from '../service/service.ts';
import { escaped } from '../service/signature.ts';

/** Calls of the SDK's clients to services of this process, as messages in place of HTTP. */

/** Of a client, in milliseconds. */
export type Limits = { readonly requestTimeout?: number };

type SdkRequest = {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

type Settle = (answer: InnerAnswer | null) => void;

export function innerCalls(send: (call: number, origin: string, request: InnerRequest) => void) {
  /** Those that wait for their answer. */
  const waiting = new Map<number, Settle>();
  let count = 0;
  return {
    /** @param answer null: the connection was closed */
    answered: (call: number, answer: InnerAnswer | null): void => waiting.get(call)?.(answer),
    /** In place of the SDK's own handler. It fails in the same way: a time-out and a lost connection are tried again. */
    handler:
      (origin: string, { requestTimeout = 0 }: Limits = {}) =>
      (request: SdkRequest, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) =>
        new Promise((resolve, reject) => {
          const inner = innerRequest(request);
          count += 1;
          const call = count;
          const done = (settle: () => void) => {
            waiting.delete(call);
            clearTimeout(timer);
            abortSignal?.removeEventListener('abort', abort);
            settle();
          };
          const failed = (message: string, more: object) => done(() => reject(Object.assign(new Error(message), more)));
          const abort = () => failed('Request aborted', { name: 'AbortError' });
          const limit = () =>
            failed(`no answer within ${requestTimeout} ms`, { name: 'TimeoutError', code: 'ETIMEDOUT' });
          const timer = requestTimeout > 0 ? setTimeout(limit, requestTimeout) : undefined;
          waiting.set(call, (answer) => {
            if (!answer) return failed('socket hang up', { name: 'TimeoutError', code: 'ECONNRESET' });
            const { status: statusCode, headers, body: said } = answer;
            // S3's answers are read as streams.
            const body = Readable.from([Buffer.from(said as string)], { objectMode: false });
            done(() => resolve({ response: { statusCode, headers, body } }));
          });
          if (abortSignal?.aborted) return abort();
          abortSignal?.addEventListener('abort', abort, { once: true });
          send(call, origin, inner);
        }),
  };
}

/** @throws an Error for a body that is a stream */
function innerRequest({ method, path, query = {}, headers, body = '' }: SdkRequest): InnerRequest {
  const named = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ''].flat().map((each) => `${escaped(name)}=${escaped(each)}`),
  );
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  // A message has a view with all that is around it, so the bytes are copied.
  const sent = typeof body === 'string' ? body : new Uint8Array(body);
  if (sent.length !== body.length) throw new Error('a body is a text or bytes');
  const url = `${path}${named.length > 0 ? `?${named.join('&')}` : ''}`;
  return { method, url, headers: Object.fromEntries(lowerCase), body: sent };
}
