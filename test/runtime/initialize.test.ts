import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Devices } from '../../functions/devices/tables.ts';
import { Users } from '../../functions/users/tables.ts';
import { Clock } from '../../lib/contract/clock.ts';
import { initialize } from '../../lib/runtime/initialize.ts';

type Send = Parameters<typeof initialize>[3];

const onLambda = { AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand', DEVICES_TABLE: 'devices', CLOCK_TABLE: 'clock' };

function asked(answer: () => Promise<unknown> = async () => ({})) {
  const sent: { input: GetCommand['input']; signal: AbortSignal | undefined }[] = [];
  const send = async ({ input }: GetCommand, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    sent.push({ input, signal: abortSignal });
    return answer();
  };
  return { sent, client: (() => ({ send })) as unknown as Send };
}

/** What ends a wait, by the test's hand in place of the time that is asked for. */
function controlled() {
  const controller = new AbortController();
  const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
  onTestFinished(() => asked.mockRestore());
  return { asked, end: () => controller.abort() };
}

test('a row that is not there is read, with a limit of time', async () => {
  const { sent, client } = asked();
  const limit = controlled();
  await initialize(onLambda, Devices, undefined, client);
  expect(sent.map(({ input }) => input)).toEqual([
    { TableName: 'devices', Key: { userId: '~init', deviceId: '~init' } },
  ]);
  limit.end();
  expect(sent[0]?.signal?.aborted).toBe(true);
  expect(limit.asked.mock.calls).toEqual([[1_000]]);
});

test('a table without a sort key is asked for its partition key alone', async () => {
  const { sent, client } = asked();
  await initialize(onLambda, Clock, undefined, client);
  expect(sent[0]?.input.Key).toEqual({ clockId: '~init' });
});

test('nothing is read outside Lambda, where it is switched off, or without the table', async () => {
  const { sent, client } = asked();
  await initialize({ DEVICES_TABLE: 'devices' }, Devices, undefined, client);
  await initialize({ ...onLambda, INIT_WORK: 'off' }, Devices, undefined, client);
  await initialize(onLambda, Users, undefined, client);
  expect(sent).toEqual([]);
});

test('a handler that keeps what it reads is asked to read it, for a second at most', async () => {
  const { sent, client } = asked();
  const variables = { ...onLambda, APPLICATION: 'sleepcare', ENVIRONMENT: 'dev' };
  const told: unknown[] = [];
  const readFirst = (where: { application: string }) => {
    told.push(where.application);
    return new Promise(() => undefined);
  };
  const limit = controlled();
  const initialized = initialize(variables, Devices, readFirst, client);
  expect(limit.asked.mock.calls).toEqual([[1_000]]);
  limit.end();
  await initialized;
  expect([told, sent]).toEqual([['sleepcare'], []]);
  await initialize({ ...variables, INIT_WORK: 'off' }, Devices, readFirst, client);
  expect(told).toHaveLength(1);
  await expect(initialize(variables, Devices, () => Promise.reject(new Error('no')), client)).resolves.toBeUndefined();
});

test('what fails is left to the first request', async () => {
  const { sent, client } = asked(async () => Promise.reject(new Error('no route to host')));
  await expect(initialize(onLambda, Devices, undefined, client)).resolves.toBeUndefined();
  expect(sent).toHaveLength(1);
  const broken = () => {
    throw new Error('no region');
  };
  await expect(initialize(onLambda, Devices, undefined, broken)).resolves.toBeUndefined();
});
