import { isDeepStrictEqual } from 'node:util';
import { invokeAsync } from '../event-sources/async-invoke.ts';
import { type InvokeResult, invokeFailure } from '../functions/result.ts';
import type { ScheduleModel, StageModel } from '../model.ts';
import { scheduledEvent } from './scheduled-event.ts';
import { openTimer, type Timer } from './timer.ts';

/**
 * EventBridge's rules at a rate: each invokes its function, for the first time after one period. Its runs never overlap
 * (EventBridge would not wait). A failed function is invoked again as on Lambda, but after moments instead of minutes.
 * EventBridge's own retries for a day, for invocations that Lambda does not accept, are not emulated.
 */

export type SchedulesOptions = {
  readonly model: () => StageModel;
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
  readonly log: (line: string) => void;
  readonly pauseMs?: number;
  /** False: nothing runs by itself, only by `run`. */
  readonly isTimed?: boolean | undefined;
};

export type Schedules = {
  /**
   * Runs the rules of an operation now, one after another (each application may have its own). It waits for a run that
   * is under way, and does not retry a failed rule.
   *
   * @throws an Error if the template has no such rule
   */
  readonly run: (operation: string) => Promise<ScheduleRun[]>;
  /** Follows the model. An unchanged rule keeps its time. */
  readonly follow: () => void;
  readonly stop: () => void;
  readonly finished: () => Promise<void>;
  readonly isIdle: () => boolean;
  /** How many invocations have ended; each attempt counts. */
  readonly invocations: () => number;
};

/** The result of one rule's invocation; `rule` is its place in the template. */
type ScheduleRun = { readonly rule: string; readonly result: InvokeResult };

type Running = { readonly schedule: ScheduleModel; readonly timer: Timer };

export function startSchedules({ model, invoke, log, pauseMs = 500, isTimed = true }: SchedulesOptions): Schedules {
  const running = new Map<string, Running>();
  const underWay = new Map<string, Promise<unknown>>();
  const ended = new AbortController();
  let invocations = 0;

  const once = async (schedule: ScheduleModel): Promise<InvokeResult> => {
    const { functionArn, ruleArn, isRefused } = schedule;
    if (!isRefused) return invoke(functionArn, scheduledEvent(schedule, Date.now())).finally(() => (invocations += 1));
    const message = `events.amazonaws.com may not invoke ${functionArn} for ${ruleArn}: no permission allows it`;
    return invokeFailure('rejected', 'AccessDeniedException', message);
  };
  const oneAtATime = async <T>({ path }: ScheduleModel, work: () => Promise<T>): Promise<T> => {
    const run = (underWay.get(path) ?? Promise.resolve()).then(work);
    const settled = run.catch(() => undefined).finally(() => underWay.get(path) === settled && underWay.delete(path));
    underWay.set(path, settled);
    return run;
  };
  const tick = async (schedule: ScheduleModel) => {
    if (underWay.has(schedule.path)) return;
    const retries = schedule.isRefused ? 0 : schedule.retries;
    const attempts = { retries, pauseMs, signal: ended.signal };
    const result = await oneAtATime(schedule, () => invokeAsync(() => once(schedule), attempts));
    if (!result || result.ok || ended.signal.aborted) return;
    log(`${schedule.path}: ${schedule.operation} failed: ${result.errorType}: ${result.errorMessage}`);
  };
  const follow = () => {
    const wanted = new Map(model().schedules.map((schedule) => [schedule.path, schedule]));
    for (const [path, { schedule, timer }] of running) {
      if (isDeepStrictEqual(wanted.get(path), schedule)) continue;
      timer.stop();
      running.delete(path);
    }
    for (const [path, schedule] of ended.signal.aborted || !isTimed ? [] : wanted) {
      if (running.has(path)) continue;
      running.set(path, { schedule, timer: openTimer(schedule.everyMs, () => void tick(schedule)) });
    }
  };
  follow();

  return {
    run: async (operation) => {
      const found = model().schedules.filter((schedule) => schedule.operation === operation);
      if (found.length === 0) throw new Error(`the template has no schedule of ${operation}`);
      const runs: ScheduleRun[] = [];
      for (const one of found) runs.push({ rule: one.path, result: await oneAtATime(one, () => once(one)) });
      return runs;
    },
    follow,
    stop: () => {
      ended.abort();
      for (const { timer } of running.values()) timer.stop();
      running.clear();
    },
    finished: async () => {
      await Promise.all(underWay.values());
    },
    isIdle: () => underWay.size === 0,
    invocations: () => invocations,
  };
}
