import type { ScheduledConsumer } from '../contract/consumer.ts';
import { type Bindings, bindingsOf } from './consume.ts';
import { describeError } from './log.ts';
import type { Runtime } from './runtime.ts';

/** @returns figures of the run for the log; none may point to a person */
type Run<C extends ScheduledConsumer> = (
  bindings: Bindings<C> & { readonly businessNow: Date; readonly remainingMs: () => number },
) => Promise<Record<string, number | string | boolean>>;

/** Lambda logs an error that a function throws, with its message. */
class LeftForTheNextRun extends Error {
  override readonly name = 'LeftForTheNextRun';
}

type Context = { getRemainingTimeInMillis(): number };

/**
 * Makes a Lambda handler from a scheduled declaration and the function that does a run. If it throws, Lambda tries twice
 * more, and the next run comes in any case. So a run has to be repeatable.
 */
export function runOnSchedule<const C extends ScheduledConsumer>(declared: C) {
  return (run: Run<C>) =>
    (runtime: Runtime) =>
    async (_event: unknown, context: Context): Promise<void> => {
      const bindings = bindingsOf(declared, runtime);
      const began = runtime.realNow().getTime();
      try {
        const businessNow = await runtime.clock();
        const figures = await run({ ...bindings, businessNow, remainingMs: () => context.getRemainingTimeInMillis() });
        const durationMs = runtime.realNow().getTime() - began;
        bindings.log({ level: 'INFO', message: 'run', ...figures, durationMs });
      } catch (error) {
        bindings.log({ level: 'ERROR', message: 'run failed', error: describeError(error) });
        throw new LeftForTheNextRun();
      }
    };
}
