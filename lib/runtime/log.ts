import { hash } from 'node:crypto';
import { metricNamespace } from '../contract/metrics.ts';

/**
 * One JSON line for each request, without its content: no body, no token, no id of a person. Metrics are part of the line,
 * in CloudWatch's embedded metric format, so no metric costs a call.
 */

export type Line = { level: 'INFO' | 'WARN' | 'ERROR'; message: string } & Record<string, unknown>;
export type Write = (line: string) => void;

/** @param metrics counts under the dimensions `application` and, if present, `route`; `line` then has to contain them. */
export function writeLine(write: Write, line: Line, now: Date, metrics: Readonly<Record<string, number>> = {}): void {
  const names = Object.keys(metrics);
  const embedded = names.length > 0 && {
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: metricNamespace,
          Dimensions: [line.route === undefined ? ['application'] : ['application', 'route']],
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

type Described = { name: string; reason?: string; at: string[] };

/** The loggable parts of an error. Its message is logged only if an AWS service wrote it, since our messages may quote a request. */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const at = (error.stack ?? '').split('\n').filter((row) => row.startsWith('    at '));
  const reason = '$fault' in error ? error.message : undefined;
  return { name: error.name, ...(reason && { reason }), at: at.slice(0, 8).map((row) => row.trim()) };
}
