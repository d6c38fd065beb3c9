import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { guard } from '../../../lib/local/page/guard.ts';
import { openPage } from '../../../lib/local/page/page.ts';
import { startTestSns } from '../sns/client.ts';
import { smallModel } from './small-model.ts';

/** The page over an SNS of its own and a small model, without a stage. */
export async function servePage(bound = '127.0.0.1') {
  const sns = await startTestSns();
  const users = [{ name: 'u@example.com', application: 'sleepcare', password: 'secret-secret', roles: ['patient'] }];
  const page = openPage({ model: () => smallModel, users, source: sns, mails: null });
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '', 'http://localhost');
    if (!guard(incoming, response, bound) || (await page.answer(incoming, response, url))) return;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    page.close();
    server.close();
    server.closeAllConnections();
    await sns.close();
  });
  return { sns, page, port, url: `http://localhost:${port}` };
}

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

/** fetch does not let a Host header be chosen. */
export function get(port: number, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    asked.on('error', reject).end();
  });
}
