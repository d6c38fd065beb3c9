import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { policyMs } from '../../functions/mobile/policy-store.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { startStage } from '../../lib/local/stage.ts';
import { policy } from './policy.ts';

/** An outage never blocks an app, and never lets it wait: a stage of its own, whose policy table fails on demand. */

test('while its table fails the check answers normal, then by the last known policy', { timeout: 60_000 }, async () => {
  let fault: Fault | undefined;
  let reads = 0;
  const lines: Record<string, unknown>[] = [];
  const isPolicyRead = ({ action, input }: Call) =>
    action === 'GetItem' && String((input as { TableName?: string }).TableName).includes('AppVersionPolicies');
  const stage = await startStage({
    rateLimit: false,
    onLog: (_fn, _id, line) => lines.push(line.startsWith('{') ? JSON.parse(line) : {}),
    intercept: (call) => {
      if (!isPolicyRead(call)) return undefined;
      reads += 1;
      return fault;
    },
  });
  onTestFinished(stage.close);
  const check = async () => {
    const started = performance.now();
    const answer = await fetch(`${stage.url}/v2/mobile/app-version/check?platform=ios&appVersion=1.0.0`);
    const { reason, outcome } = (await answer.json()) as Record<string, string>;
    return { status: answer.status, reason, outcome, milliseconds: performance.now() - started };
  };
  const forgotten = () => sleep(policyMs + 100);
  const counted = () => lines.filter((line) => String(line.route).endsWith('/check')).at(-1);

  // Nothing is stored yet.
  expect(await check()).toMatchObject({ status: 200, outcome: 'normal', reason: 'POLICY_UNAVAILABLE' });
  expect(counted()).toMatchObject({ level: 'INFO', policyUnavailable: 1, versionNotStated: 0 });

  fault = 'hang';
  await forgotten();
  const hung = await check();
  expect(hung).toMatchObject({ status: 200, outcome: 'normal', reason: 'POLICY_UNAVAILABLE' });
  expect(hung.milliseconds).toBeLessThan(1500);
  expect(counted()).toMatchObject({ level: 'WARN', policyUnavailable: 1, error: { name: 'TimeoutError' } });
  // The failure is kept as well: the next app waits for nothing.
  const before = reads;
  expect((await check()).milliseconds).toBeLessThan(300);
  expect(reads).toBe(before);

  fault = undefined;
  const token = await (await fetch(`${stage.url}/_local/token?user=a&roles=admin&application=medinfo`)).text();
  const path = `${stage.url}/v2/mobile/app-version/policies/medinfo/ios`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'If-None-Match': '*' };
  const body = JSON.stringify(policy());
  expect((await fetch(path, { headers })).status).toBe(404);
  expect((await fetch(`${path}/simulate`, { method: 'POST', headers, body: '{"versions":["1"]}' })).status).toBe(404);
  const created = await fetch(path, { method: 'PUT', headers, body });
  expect([created.status, created.headers.get('etag')]).toEqual([200, '"1"']);
  await forgotten();
  expect(await check()).toMatchObject({ status: 200, outcome: 'blocked', reason: 'BELOW_MINIMUM' });
  expect(counted()).toMatchObject({ level: 'INFO', policyUnavailable: 0, versionNotStated: 0 });

  fault = 'throttle';
  await forgotten();
  const last = await check();
  expect(last).toMatchObject({ status: 200, outcome: 'blocked', reason: 'BELOW_MINIMUM' });
  expect(last.milliseconds).toBeLessThan(1500);
  // It is served, and said.
  expect(counted()).toMatchObject({ level: 'WARN', policyStale: 1, policyUnavailable: 0 });
});
