import * as z from 'zod/mini';
import { AccountClosed, Unavailable } from '../contract/common-errors.ts';
import type { ProcedureConsumer } from '../contract/consumer.ts';
import { type Bindings, bindingsOf } from './consume.ts';
import { Failure, isUnavailable } from './failure.ts';
import { describeError } from './log.ts';
import type { Performed } from './procedures.ts';
import type { Runtime } from './runtime.ts';

type Perform<C extends ProcedureConsumer> = (
  input: z.output<C['procedure']['input']>,
  bindings: Bindings<C> & { readonly businessNow: Date },
) => Promise<z.output<C['procedure']['output']>>;

/** Lambda logs an error that a function throws, with its message. */
class NotPerformed extends Error {
  override readonly name = 'NotPerformed';
}

/**
 * Makes a Lambda handler from a declaration and the function that performs its procedure. A performer may be killed anywhere, so the
 * same request, sent again, has to go on from there.
 */
export function performing<const C extends ProcedureConsumer>(declared: C) {
  return (perform: Perform<C>) =>
    (runtime: Runtime) =>
    async (event: unknown): Promise<Performed> => {
      const bindings = bindingsOf(declared, runtime);
      const began = runtime.realNow().getTime();
      const log = (how: string, more: object = {}) =>
        bindings.log({ level: 'INFO', message: how, ...more, durationMs: runtime.realNow().getTime() - began });
      try {
        // What does not fit comes from a defect: the callers are this system's own functions.
        const input = z.parse(declared.procedure.input, event) as z.output<C['procedure']['input']>;
        const output = await perform(input, { ...bindings, businessNow: await runtime.clock() });
        log('performed');
        return { output };
      } catch (error) {
        if (error instanceof Failure && declared.procedure.errors?.includes(error.error)) {
          log('refused', { code: error.code });
          return { failed: { code: error.code, detail: error.detail } };
        }
        // Of an account that was closed meanwhile: the caller's own gate refuses the same request again.
        const isBusy =
          error instanceof Failure
            ? error.error === Unavailable || error.error === AccountClosed
            : isUnavailable(error);
        bindings.log({ level: isBusy ? 'WARN' : 'ERROR', message: 'not performed', error: describeError(error) });
        if (isBusy) return { isUnavailable: true };
        throw new NotPerformed();
      }
    };
}
