import type { Access } from './order.ts';
import type { FaultName } from './scenario.ts';

/** What could happen next. */

export type Outcome = {
  readonly name: string;
  readonly fault: FaultName | null;
  readonly act: () => void | Promise<void>;
};

export type Choice = {
  /** The same for the same step in another schedule. */
  readonly id: string;
  readonly actor: string;
  /** `optional`: a schedule may end without it. */
  readonly kind: 'start' | 'call' | 'timer' | 'deliver' | 'optional' | 'end';
  readonly accesses: readonly Access[];
  /** Function, action and table, for the pairs of calls. */
  readonly label: string;
  readonly describe: () => string;
  readonly outcomes: () => Outcome[];
};

/** `label` is the choice's: what is called, for a replay elsewhere. */
export type Taken = { readonly id: string; readonly outcome: string; readonly label?: string };
