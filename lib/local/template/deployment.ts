import type { OutputModel } from '../model.ts';
import type { Scope } from './intrinsics.ts';

/** The stacks as they would be after a deployment. */

export type Resource = {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  /** `<stack>/<nested stack>/<logical id>`: unique in the stage. Physical ids are derived from it. */
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
  /** The resources whose condition is true. */
  readonly resources: ReadonlyMap<string, Resource>;
  readonly output: (name: string) => unknown;
};

export type Deployment = {
  readonly region: string;
  readonly accountId: string;
  /** The resources of all stacks, nested ones included. */
  readonly resources: readonly Resource[];
  /** The outputs of the stacks, without those of nested stacks. */
  readonly outputs: readonly OutputModel[];
};
