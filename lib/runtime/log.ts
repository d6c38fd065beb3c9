import { hash } from 'node:crypto';
import { metricNamespace, requestsForbidden } from '../contract/metrics.ts';

/**
 * One JSON line for each request, without its content: no body, no token, no id of a person. Metrics are part of the line,
 * in CloudWatch's embedded metric format, so no metric costs a call.
 */

export type Line = { level: 'INFO' | 'WARN' | 'ERROR'; message: string } & Record<string, unknown>;
export type Write = (line: string) => void;

/**
 * @param metrics counts under the dimensions `application` and, if present, `route`; `line` then has to contain them. Those of a
 * forbidden request count under `application` alone.
 */
export function writeLine(write: Write, line: Line, now: Date, metrics: Readonly<Record<string, number>> = {}): void {
  const names = Object.keys(metrics);
  const embedded = names.length > 0 && {
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: metricNamespace,
          Dimensions: ['route' in line && !(requestsForbidden in metrics) ? ['application', 'route'] : ['application']],
          Metrics: names.map((name) => ({ Name: name, Unit: 'Count' })),
        },
      ],
    },
    ...metrics,
  };
  write(`${JSON.stringify({ time: now.toISOString(), ...line, ...embedded })}\n`);
}

/** Distinguishes users' requests without naming a user: ids are random, so the hash cannot be reversed. */
export function hashOfUser(userId: string): string {
  return hash('sha256', userId, 'hex').slice(0, 16);
}

type Described = { name: string; code?: string; reason?: string; at: string[] };

/** The form of the codes that Node and OpenSSL give to errors: `ECONNRESET`, `CERT_HAS_EXPIRED`. They are fixed words and hold no data. */
const codeForm = /^[A-Z][A-Z0-9_]{2,40}$/;

/** The code of an error, or of what caused it. Codes of any other form may quote a request. */
function codeOf(error: Error): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].find((given): given is string => typeof given === 'string' && codeForm.test(given));
}

/** The loggable parts of an error. Its message is logged only if an AWS service wrote it, since our messages may quote a request. */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const at = (error.stack ?? '').split('\n').filter((row) => row.startsWith('    at '));
  const reason = '$fault' in error ? error.message : undefined;
  const code = codeOf(error);
  const rows = at.slice(0, 8).map((row) => row.trim());
  return { name: error.name, ...(code && { code }), ...(reason && { reason }), at: rows };
}
