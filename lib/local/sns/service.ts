import type { Xml } from '../xml.ts';
import type { RegionAndAccount } from './arns.ts';
import type { Directory } from './directory.ts';
import type { Emit } from './events.ts';
import type { Push } from './pushes.ts';
import type { Parameters } from './wire.ts';

/** The state that every action uses. */
export type Service = {
  readonly account: RegionAndAccount;
  readonly directory: Directory;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly emit: Emit;
  readonly keep: (push: Push) => void;
  /** Whether this token is still to be throttled. */
  readonly throttles: (token: string) => boolean;
};

/** The result of a call that is never answered. */
export const hang = Symbol('hang');

/** Null if SNS answers without a result element. */
export type Action = (service: Service, parameters: Parameters) => Promise<Xml | null | typeof hang>;
