import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type InvokeResult, invokeFailure } from '../../../lib/local/functions/result.ts';
import type { ScheduleModel } from '../../../lib/local/model.ts';
import { startSchedules } from '../../../lib/local/schedules/schedules.ts';
import { eventually } from '../../eventually.ts';

const ruleArn = 'arn:aws:events:eu-central-1:000000000000:rule/sweep';
const schedule: ScheduleModel = {
  path: 'State/Sweep.Targets[0]',
  ruleArn,
  everyMs: 20,
  functionArn: 'arn:sweep',
  operation: 'sweep',
  input: null,
  retries: 2,
  isRefused: false,
};
const ok: InvokeResult = { ok: true, payload: 'done', initMs: null, durationMs: 1 };
const failed = invokeFailure('error', 'Error', 'no luck');

function started(schedules: ScheduleModel[], answer: () => Promise<InvokeResult> | InvokeResult = () => ok) {
  const calls: { functionArn: string; event: unknown }[] = [];
  const lines: string[] = [];
  let current = schedules;
  const running = startSchedules({
    model: () => ({ schedules: current }) as never,
    invoke: async (functionArn, event) => {
      calls.push({ functionArn, event });
      return answer();
    },
    log: (line) => lines.push(`after ${calls.length}: ${line}`),
    pauseMs: 1,
  });
  onTestFinished(running.stop);
  const adopt = (next: ScheduleModel[]) => {
    current = next;
    running.follow();
  };
  return { ...running, adopt, calls, lines };
}

describe('a rule', () => {
  test('invokes its function with EventBridge’s event, first when a period has passed, and again', async () => {
    const { calls } = started([schedule]);
    expect(calls).toEqual([]);
    await eventually(() => expect(calls.length).toBeGreaterThan(1));
    expect(calls[0]).toEqual({
      functionArn: 'arn:sweep',
      event: {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'Scheduled Event',
        source: 'aws.events',
        account: '000000000000',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        region: 'eu-central-1',
        resources: [ruleArn],
        detail: {},
      },
    });
  });

  test('never runs twice at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise, resolve } = Promise.withResolvers<InvokeResult>();
    const { calls, run } = started([{ ...schedule, input: '{"mine":1}' }], () => promise);
    await vi.advanceTimersByTimeAsync(schedule.everyMs);
    expect(calls).toHaveLength(1);
    const another = run('sweep');
    await vi.advanceTimersByTimeAsync(3 * schedule.everyMs);
    expect(calls).toEqual([{ functionArn: 'arn:sweep', event: { mine: 1 } }]);
    resolve(ok);
    expect(await another).toEqual([{ rule: schedule.path, result: ok }]);
  });

  test('that fails is tried again as often as the template says, and then reported', async () => {
    const { lines } = started([schedule], () => failed);
    await eventually(() => expect(lines).not.toEqual([]));
    expect(lines[0]).toBe('after 3: State/Sweep.Targets[0]: sweep failed: Error: no luck');
  });

  test('that may not invoke does not, and is reported', async () => {
    const { calls, lines } = started([{ ...schedule, isRefused: true }]);
    await eventually(() => expect(lines).not.toEqual([]));
    expect(lines[0]).toContain(`events.amazonaws.com may not invoke arn:sweep for ${ruleArn}`);
    expect(calls).toEqual([]);
  });

  test('of a month does not run at once, which is what a longer timer of Node’s would do', async () => {
    const monthly = { ...schedule, everyMs: 30 * 24 * 60 * 60 * 1000 };
    // Node's timers end in the order of their times: one that ends after a millisecond, before the other's twenty.
    const { calls } = started([monthly, { ...schedule, path: 'Other', functionArn: 'arn:other' }]);
    await eventually(() => expect(calls).not.toEqual([]));
    expect(calls[0]).toMatchObject({ functionArn: 'arn:other' });
  });
});

describe('run', () => {
  const slow = { ...schedule, everyMs: 60_000 };

  test('answers what the function does, once, be it a failure', async () => {
    const { run, calls, lines, invocations } = started([slow], () => failed);
    expect(invocations()).toBe(0);
    expect(await run('sweep')).toEqual([{ rule: schedule.path, result: failed }]);
    expect(invocations()).toBe(1);
    expect(calls).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  test('is refused where the rule may not invoke', async () => {
    const { run } = started([{ ...slow, isRefused: true }]);
    expect(await run('sweep')).toMatchObject([{ result: { kind: 'rejected', errorType: 'AccessDeniedException' } }]);
  });

  test('runs the rules of all applications, one after another', async () => {
    const { run, calls } = started([slow, { ...slow, path: 'Other', functionArn: 'arn:other' }]);
    expect(await run('sweep')).toEqual([slow.path, 'Other'].map((rule) => ({ rule, result: ok })));
    expect(calls.map(({ functionArn }) => functionArn)).toEqual(['arn:sweep', 'arn:other']);
  });

  test('of none is an error', async () => {
    const { run } = started([slow]);
    await expect(run('nothing')).rejects.toThrow('the template has no schedule of nothing');
  });
});

test('another template’s rules take over', async () => {
  const { adopt, calls } = started([schedule]);
  adopt([{ ...schedule, path: 'Other', functionArn: 'arn:other', operation: 'other' }]);
  await eventually(() => expect(calls.length).toBeGreaterThan(1));
  expect(new Set(calls.map(({ functionArn }) => functionArn))).toEqual(new Set(['arn:other']));
});
