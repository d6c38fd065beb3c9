import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Agreements } from '../../functions/agreements/tables.ts';
import { AuditEvents } from '../../functions/audit/tables.ts';
import { ConsentStates } from '../../functions/consents/tables.ts';
import { Devices } from '../../functions/devices/tables.ts';
import { Clock } from '../../functions/time-machine/tables.ts';
import { Users } from '../../functions/users/tables.ts';
import { tableReadAtInit } from '../../lib/contract/table-at-init.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { append, read, scan } from '../../lib/contract/uses.ts';
import { type InitOptions, initialize } from '../../lib/runtime/initialize.ts';

type Client = NonNullable<InitOptions['client']>;

const onLambda = { AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand', DEVICES_TABLE: 'devices', CLOCK_TABLE: 'clock' };

function asked(answer: () => Promise<unknown> = async () => ({})) {
  const sent: { input: GetCommand['input']; signal: AbortSignal | undefined }[] = [];
  const send = async ({ input }: GetCommand, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    sent.push({ input, signal: abortSignal });
    return answer();
  };
  return { sent, client: (() => ({ send })) as unknown as Client };
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
  await initialize(Devices, { variables: onLambda, client });
  expect(sent.map(({ input }) => input)).toEqual([
    { TableName: 'devices', Key: { userId: '~init', deviceId: '~init' } },
  ]);
  limit.end();
  expect(sent[0]?.signal?.aborted).toBe(true);
  expect(limit.asked.mock.calls).toEqual([[1_000]]);
});

test('a table without a sort key is asked only for its partition key', async () => {
  const { sent, client } = asked();
  await initialize(Clock, { variables: onLambda, client });
  expect(sent[0]?.input.Key).toEqual({ clockId: '~init' });
});

test('nothing is read outside Lambda, or without the table', async () => {
  const { sent, client } = asked();
  for (const type of [undefined, '']) {
    const variables = { ...onLambda, AWS_LAMBDA_INITIALIZATION_TYPE: type };
    await initialize(Devices, { variables, client });
    await initialize(Devices, { variables, client, read: () => Promise.reject(new Error('was asked')) });
  }
  await initialize(Users, { variables: onLambda, client });
  expect(sent).toEqual([]);
});

test('the table comes from the declaration: the first table that may be read, if the function waits for one', () => {
  expect(tableReadAtInit({ uses: [read(Devices)] })).toBe(Devices);
  const several = [append(AuditEvents), scan(ConsentStates), read(Agreements), append(Agreements), read(Users)];
  expect(tableReadAtInit({ uses: several })).toBe(Agreements);
  expect(tableReadAtInit({ uses: [userPool('read'), append(AuditEvents)] })).toBeUndefined();
  expect(tableReadAtInit({ uses: [read(Devices)], tolerant: true })).toBeUndefined();
  expect(tableReadAtInit({})).toBeUndefined();
});

test('a handler with a cache fills it, within a second at most', async () => {
  const { sent, client } = asked();
  const variables = { ...onLambda, APPLICATION: 'sleepcare', ENVIRONMENT: 'dev' };
  const told: unknown[] = [];
  const read = (where: { application: string }) => {
    told.push(where.application);
    return new Promise(() => undefined);
  };
  const limit = controlled();
  const initialized = initialize(Devices, { variables, read, client });
  expect(limit.asked.mock.calls).toEqual([[1_000]]);
  limit.end();
  await initialized;
  expect([told, sent]).toEqual([['sleepcare'], []]);
  const fails = () => Promise.reject(new Error('no'));
  await expect(initialize(Devices, { variables, read: fails, client })).resolves.toBeUndefined();
});

test('after a failure the first request reads', async () => {
  const { sent, client } = asked(async () => Promise.reject(new Error('no route to host')));
  await expect(initialize(Devices, { variables: onLambda, client })).resolves.toBeUndefined();
  expect(sent).toHaveLength(1);
  const broken = () => {
    throw new Error('no region');
  };
  await expect(initialize(Devices, { variables: onLambda, client: broken })).resolves.toBeUndefined();
});
