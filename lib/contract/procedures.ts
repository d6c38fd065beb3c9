import type * as z from 'zod/mini';
import type { DeclaredError } from './errors.ts';
import { kebabCase } from './kebab-case.ts';
import { variableOf } from './variables.ts';

/**
 * A remote procedure call: what a function can ask another one for, by a synchronous invocation, as the domain that owns it declares it in its `procedures.ts`. A consumer
 * performs it (`lib/contract/consumer.ts`); no route leads to that. So a right that a function with a route should not hold
 * stands with a function that nobody outside can call, and that decides by what it reads itself.
 */
export type Procedure<
  N extends string = string,
  I extends z.ZodMiniType = z.ZodMiniType,
  O extends z.ZodMiniType = z.ZodMiniType,
> = {
  readonly name: N;
  readonly input: I;
  readonly output: O;
  /** Whether a second call has the result of the first, so that a call is repeated after a lost answer. */
  readonly isRepeatable: boolean;
  /** The failures that the performer ends with, and that its caller then has. */
  readonly errors?: readonly DeclaredError[];
};

/** @param name also the name of the constant; the function's name and the environment variable are derived from it */
export function procedure<const N extends string, I extends z.ZodMiniType, O extends z.ZodMiniType>(
  name: N,
  declaration: Omit<Procedure<N, I, O>, 'name'>,
): Procedure<N, I, O> {
  return { name, ...declaration };
}

/** The environment variable that carries the function's name: `SignReceipt` → `SIGN_RECEIPT_FUNCTION`. */
export function procedureVariable(procedure: Pick<Procedure, 'name'>): string {
  return variableOf(procedure, 'FUNCTION');
}

/** The end of the function's name: `SignReceipt` → `sign-receipt`. */
export function procedureName({ name }: Pick<Procedure, 'name'>): string {
  return kebabCase(name).slice(1);
}
