import type { Patience } from '../patience.ts';
import type { ErrorReport } from './result.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Log = (line: string) => void;
export type Handler = (event: unknown, context: object) => unknown;
export type Order = {
  readonly arn: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** JSON. */
  readonly event: string;
};

export function initFailure(error: unknown, log: Log): ErrorReport;
export function uncaught(error: unknown, isRejection: boolean, log: Log): ErrorReport;
export function loadHandler(
  environment: Variables,
  load: (file: string) => Promise<Record<string, unknown>>,
): Promise<Handler>;
export function answer(
  handler: Handler,
  environment: Variables,
  order: Order,
  to: { readonly log: Log; readonly say: (kind: 'S' | 'F', bytes: Buffer) => void },
): Promise<void>;
export function lengthenLimits(patience: Patience): void;
