import type { IncomingMessage } from 'node:http';

// "Payload size: 10 MB" (API Gateway quotas).
const maximumBytes = 10 * 1024 * 1024;

export type Body = { readonly text: string | null } | 'too-large' | 'aborted';

/** Whether a body was announced; without one there is nothing to wait for. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The whole body as text, or the result that it is too large for the gateway. In that case the rest stays unread. */
export function readBody(request: IncomingMessage): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) return Promise.resolve('too-large');
  if (request.destroyed) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (body: Body) => {
      request.off('data', take);
      resolve(body);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maximumBytes) return finish('too-large');
      chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => finish({ text: length === 0 ? null : Buffer.concat(chunks).toString('utf8') }));
    // A client that left, or was too slow for the server's requestTimeout.
    request.once('close', () => finish('aborted'));
    request.once('error', () => finish('aborted'));
  });
}
