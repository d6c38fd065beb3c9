import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendItems, sendJson } from '../page/answers.ts';
import { isOwnHost } from '../page/hosts.ts';
import type { Schedules } from './schedules.ts';

/**
 * `POST /_local/schedules/<operation>`: runs an operation's scheduled rules now. The answer has the result of each
 * rule: 200 if all succeeded, 500 if one failed, 404 with the reason if the template has no such rule.
 *
 * @param bound where the gateway listens
 */
export async function answerSchedule(
  request: IncomingMessage,
  response: ServerResponse,
  operation: string,
  { run, bound }: { run: Schedules['run']; bound: string },
): Promise<void> {
  const refuse = (status: number, message: string) => sendJson(response, { message }, status, 2);
  // A foreign page can send a POST without a CORS preflight, although it cannot read the answer.
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnHost(URL.parse(origin)?.host, bound)) {
    return refuse(403, 'The Origin header names another page than this stage’s own.');
  }
  try {
    const items = await run(operation);
    sendItems(response, items, items.every(({ result }) => result.ok) ? 200 : 500);
  } catch (error) {
    refuse(404, error instanceof Error ? error.message : String(error));
  }
}
