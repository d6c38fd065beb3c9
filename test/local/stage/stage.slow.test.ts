import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../../../bin/seed.ts';
import { startStage } from '../../../bin/stage.ts';
import { PortTaken } from '../../../lib/local/port.ts';
import { ask } from './local-process.ts';

test('a stage serves the template over HTTP, and tests can make its DynamoDB fail', async () => {
  let isDown = false;
  const answered: number[] = [];
  const stage = await startStage({
    seed,
    intercept: { dynamodb: () => (isDown ? 'error' : undefined) },
    onRequest: ({ status }) => answered.push(status),
  });
  onTestFinished(stage.close);
  const { status, body } = await ask(stage.url, '/users/agreements');
  expect([status, body.items.length]).toEqual([200, 5]);
  isDown = true;
  expect((await ask(stage.url, '/users/agreements/marketing/history')).status).toBeGreaterThanOrEqual(500);
  expect(answered[0]).toBe(200);
});

test('two stages run side by side, and the second on a taken port is refused', async () => {
  const [first, second] = await Promise.all([startStage(), startStage()]);
  onTestFinished(first.close);
  onTestFinished(second.close);
  expect(first.port).not.toBe(second.port);
  await expect(startStage({ port: first.port })).rejects.toThrow(PortTaken);
});

test('the address of the local stage’s own routes answers nothing else', async () => {
  const stage = await startStage();
  onTestFinished(stage.close);
  const of = async (path: string, method = 'GET') => (await fetch(`${stage.url}${path}`, { method })).status;
  expect(await of('/_local/token?user=patient@example.com')).toBe(200);
  expect(await of('/_local/token')).toBe(400);
  expect(await of('/_local/token?user=patient@example.com', 'POST')).toBe(404);
  expect(await of('/_local/nothing')).toBe(404);
  expect(await of('/de/v1/_local/token?user=patient@example.com')).toBe(404);
});
