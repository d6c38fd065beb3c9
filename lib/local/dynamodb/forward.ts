import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';

export type Reply = { status: number; headers: OutgoingHttpHeaders; body: Buffer };
export type Forward = { send(headers: IncomingHttpHeaders, body: Buffer): Promise<Reply>; close(): void };

/** DynamoDB Local keeps one database for each access key and region; with one key all callers see the same. */
const KEY = 'local';

/** Forwards calls to an external DynamoDB, which does not verify signatures. Keeps the caller's region. */
export function openForward(endpoint: string): Forward {
  const url = new URL(endpoint);
  const secure = url.protocol === 'https:';
  const agent = secure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  return {
    send(headers, body) {
      const {
        'x-amz-security-token': _token,
        connection: _connection,
        'transfer-encoding': _encoding,
        ...rest
      } = headers;
      const authorization = String(headers.authorization).replace(/Credential=[^/,\s]+/, `Credential=${KEY}`);
      const sent = { ...rest, authorization, host: url.host, 'content-length': String(body.length) };
      return new Promise((resolve, reject) => {
        const start = secure ? httpsRequest : httpRequest;
        const request = start(url, { method: 'POST', agent, headers: sent }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            resolve({ status: response.statusCode ?? 500, headers: response.headers, body: Buffer.concat(chunks) });
          });
        });
        request.on('error', reject);
        request.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}
