import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnHost } from '../page/hosts.ts';
import type { Schedules } from './schedules.ts';

/**
 * `POST /_local/schedules/<operation>`: an operation's scheduled rules, run at once. The answer has what became of each:
 * 200 where all succeeded, 500 where one failed, 404 with the reason where the template has no such rule.
 *
 * @param bound where the gateway listens
 */
export async function answerSchedule(
  request: IncomingMessage,
  response: ServerResponse,
  operation: string,
  { run, bound }: { run: Schedules['run']; bound: string },
): Promise<void> {
  const send = (status: number, value: unknown) => {
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify(value, null, 2));
  };
  // A foreign page may send a POST without a question, though it cannot read the answer.
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnHost(URL.parse(origin)?.host, bound)) {
    send(403, { message: 'The Origin header names another page than this stage’s own.' });
    return;
  }
  try {
    const items = await run(operation);
    send(items.every(({ result }) => result.ok) ? 200 : 500, { items, metadata: { count: items.length } });
  } catch (error) {
    send(404, { message: error instanceof Error ? error.message : String(error) });
  }
}
