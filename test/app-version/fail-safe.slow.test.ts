import { expect, onTestFinished, test } from 'vitest';
import { startStage } from '../../bin/stage.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { eventually } from '../eventually.ts';
import { policy } from './policy.ts';

/** An outage never blocks an app, and never lets it wait: a stage of its own, whose policy table fails on demand. */

test('while its table fails the check answers normal, then by the last known policy', async () => {
  let fault: Fault | undefined;
  let reads = 0;
  const lines: Record<string, unknown>[] = [];
  const isPolicyRead = ({ action, input }: Call) =>
    action === 'GetItem' && String((input as { TableName?: string }).TableName).includes('AppVersionPolicies');
  const stage = await startStage({
    rateLimit: false,
    // What hangs is given up after the product's own time.
    patience: 1,
    onLog: (_fn, _id, line) => lines.push(line.startsWith('{') ? JSON.parse(line) : {}),
    intercept: {
      dynamodb: (call) => {
        if (!isPolicyRead(call)) return undefined;
        reads += 1;
        return fault;
      },
    },
  });
  onTestFinished(stage.close);
  const check = async () => {
    const before = reads;
    const answer = await fetch(`${stage.url}/v2/mobile/app-version/check?platform=ios&appVersion=1.0.0`);
    const { reason, outcome } = (await answer.json()) as Record<string, string>;
    const line = lines.filter(({ route }) => String(route).endsWith('/check')).at(-1);
    return { status: answer.status, reason, outcome, line, reads: reads - before };
  };
  const checked = (expected: object) => eventually(async () => expect(await check()).toMatchObject(expected));
  /** Asks until the function has forgotten what it kept, and tries to read anew. */
  const readAnew = () =>
    eventually(async () => {
      const answer = await check();
      expect(answer.reads).not.toBe(0);
      return answer;
    });

  // Nothing is stored yet.
  const unknown = { status: 200, outcome: 'normal', reason: 'POLICY_UNAVAILABLE' };
  await checked({ ...unknown, line: { level: 'INFO', policyUnavailable: 1, versionNotStated: 0 } });

  // Two tries: test/app-version/policy-rows.test.ts says what they come to.
  fault = 'hang';
  expect(await readAnew()).toMatchObject({
    ...unknown,
    line: { level: 'WARN', policyUnavailable: 1, error: { name: 'TimeoutError' } },
    reads: 2,
  });
  // The failure is kept as well: the next app waits for nothing.
  await checked({ ...unknown, reads: 0 });

  fault = undefined;
  const token = await (await fetch(`${stage.url}/_local/token?user=a&roles=admin&application=medinfo`)).text();
  const path = `${stage.url}/v2/mobile/app-version/policies/medinfo/ios`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'If-None-Match': '*' };
  const body = JSON.stringify(policy());
  expect((await fetch(path, { headers })).status).toBe(404);
  expect((await fetch(`${path}/simulate`, { method: 'POST', headers, body: '{"versions":["1"]}' })).status).toBe(404);
  const created = await fetch(path, { method: 'PUT', headers, body });
  expect([created.status, created.headers.get('etag')]).toEqual([200, '"1"']);
  const known = { status: 200, outcome: 'blocked', reason: 'BELOW_MINIMUM' };
  await checked({ ...known, line: { level: 'INFO', policyUnavailable: 0, versionNotStated: 0 } });

  fault = 'throttle';
  // It is served, and said.
  const line = { level: 'WARN', policyStale: 1, policyUnavailable: 0 };
  expect(await readAnew()).toMatchObject({ ...known, line, reads: 2 });
});
