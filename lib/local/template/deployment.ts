import type { OutputModel } from '../model.ts';
import type { Scope } from './intrinsics.ts';

/** Stacks as if they had been deployed. */

export type Resource = {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  /** `<stack>/<nested stack>/<logical id>`: unique in the stage, and what physical ids follow from. */
  readonly path: string;
  /** Unresolved. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type Stack = {
  readonly name: string;
  readonly region: string;
  readonly accountId: string;
  readonly scope: Scope;
  readonly assets: ReadonlyMap<string, string>;
  /** Those whose condition holds. */
  readonly resources: ReadonlyMap<string, Resource>;
  readonly output: (name: string) => unknown;
};

export type Deployment = {
  readonly region: string;
  readonly accountId: string;
  /** Of all stacks, the nested ones included. */
  readonly resources: readonly Resource[];
  /** Not of the nested ones. */
  readonly outputs: readonly OutputModel[];
};
