import type { RequestEntry } from './gateway/exchange.ts';
import { parseJson } from './json.ts';
import type { FunctionModel } from './model.ts';

/** What a stage prints for a person: one line for each request. */

type RequestLine = {
  readonly time: string;
  readonly message: 'request';
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly application?: string;
  readonly code?: string;
  readonly user?: string;
  readonly error?: { readonly name?: string; readonly reason?: string; readonly at?: readonly string[] };
};

/**
 * A line of a function's output: a request's JSON line becomes
 * `12:00:01 200 GET /users/agreements 4 ms list-agreements sleepcare user 3fa9…`; any other stays as it is.
 */
export function printedLine({ operation }: Pick<FunctionModel, 'operation'>, line: string): string {
  const request = requestLine(line);
  if (!request) return `${operation}: ${line}`;
  const { route, status, code, durationMs, application, user, error } = request;
  const parts = [
    clockTime(new Date(request.time)),
    status,
    route,
    ...(code ? [code] : []),
    `${Math.round(durationMs)} ms`,
    operation,
    ...(application ? [application] : []),
    ...(user ? [`user ${user.slice(0, 4)}…`] : []),
  ];
  const at = error ? [`${error.name}${error.reason ? `: ${error.reason}` : ''}`, ...(error.at ?? [])] : [];
  return [parts.join(' '), ...at.map((row) => `    ${row}`)].join('\n');
}

/** The line for an answer of the gateway itself, which no function logs. Null if a function answered. */
export function printedAnswer(answer: RequestEntry, now: Date): string | null {
  const { status, method, path, gatewayResponse, functionArn, durationMs, error } = answer;
  if (!gatewayResponse && !error && functionArn) return null;
  const reason = gatewayResponse ?? (error ? 'failed' : 'made by the gateway');
  const line = `${clockTime(now)} ${status} ${method} ${path} ${Math.round(durationMs)} ms ${reason}`;
  return error ? `${line}: ${error}` : line;
}

function requestLine(line: string): RequestLine | null {
  const parsed = line.startsWith('{') ? (parseJson(line) as Partial<RequestLine> | undefined) : undefined;
  const isRequest = parsed?.message === 'request' && typeof parsed.route === 'string' && parsed.time !== undefined;
  return isRequest ? (parsed as RequestLine) : null;
}

function clockTime(time: Date): string {
  return time.toTimeString().slice(0, 8);
}
