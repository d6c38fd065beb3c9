import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { cannedAnswers } from './canned.ts';
import { selfSigned } from './certificate.ts';

export type TlsStub = {
  readonly url: string;
  /** For NODE_EXTRA_CA_CERTS. */
  readonly certificateFile: string;
  readonly close: () => Promise<void>;
};

/** DynamoDB over HTTPS, in this process: a cold start has a handshake to do, and a warm call keeps its connection. */
export async function startTlsStub(folder: string): Promise<TlsStub> {
  const answer = await cannedAnswers();
  const { key, cert } = selfSigned();
  const certificateFile = join(folder, 'certificate.pem');
  writeFileSync(certificateFile, cert);
  const server = createServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const input = JSON.parse(Buffer.concat(chunks).toString());
    const body = Buffer.from(JSON.stringify(answer(String(request.headers['x-amz-target']), input)));
    const headers = { 'x-amz-crc32': crc32(body), 'x-amzn-requestid': randomUUID(), 'content-length': body.length };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', ...headers }).end(body);
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificateFile,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
