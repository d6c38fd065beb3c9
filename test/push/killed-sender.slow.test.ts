import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { SnsFault } from '../../lib/local/sns/sns.ts';
import { pushStage, token } from './delivery-stage.ts';

/** The sender's process ends with SIGKILL in the midst of a delivery: nothing is lost, and at most one push comes twice. */

const { patient, post, got, queued, queues, faults } = pushStage();

const soon = { timeout: 15_000, interval: 50 };
const leaseMs = 15_000;

/** Ends the processes of this stage's sender; they are this process's own children. */
function killSender(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [command, status] = ['cmdline', 'status'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
      const isOurs = status?.includes(`\nPPid:\t${process.pid}\n`) && command?.includes('SendPushFunction');
      if (isOurs) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

/** Kills the sender once, at its next call of SNS. */
function killAtPublish(fault: SnsFault | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  faults.sns = ({ action }) => {
    if (action !== 'Publish') return undefined;
    delete faults.sns;
    killSender();
    resolve();
    return fault;
  };
  return promise;
}

/** The queue shows again what nobody has deleted. */
async function redeliver(): Promise<void> {
  await vi.waitFor(() => expect(queued('PushQueue')).toHaveLength(1), soon);
  queues().elapse(60_000);
}

test.runIf(process.platform === 'linux')('killed before its claim: one push', { timeout: 40_000 }, async () => {
  const phone = token();
  const { userId } = await patient(phone);
  const killed = Promise.withResolvers<void>();
  faults.dynamo = ({ action, input }) => {
    if (action !== 'UpdateItem' || !String(input.TableName).includes('PushDeliveries')) return undefined;
    delete faults.dynamo;
    killSender();
    killed.resolve();
    return 'hang';
  };
  const messageId = await post(userId);
  await killed.promise;
  await redeliver();
  await vi.waitFor(() => expect(got(phone)).toEqual([`agent_board ${messageId}`]), soon);
  await vi.waitFor(() => expect(queued('PushQueue')).toEqual([]), soon);
});

test.runIf(process.platform === 'linux')(
  'killed before Publish: one push, when the lease is over',
  { timeout: 60_000 },
  async () => {
    const phone = token();
    const { userId } = await patient(phone);
    const killed = killAtPublish('hang');
    const messageId = await post(userId);
    await killed;
    // Redelivered within the lease it waits, as it might still be on its way.
    await redeliver();
    await sleep(leaseMs);
    expect(got(phone)).toEqual([]);
    await redeliver();
    await vi.waitFor(() => expect(got(phone)).toEqual([`agent_board ${messageId}`]), soon);
    await vi.waitFor(() => expect(queued('PushQueue')).toEqual([]), soon);
  },
);

test.runIf(process.platform === 'linux')(
  'killed after Publish: twice, under the same messageId',
  { timeout: 60_000 },
  async () => {
    const phone = token();
    const { userId } = await patient(phone);
    const killed = killAtPublish(undefined);
    const messageId = await post(userId);
    await killed;
    await vi.waitFor(() => expect(got(phone)).toHaveLength(1), soon);
    await sleep(leaseMs);
    await redeliver();
    await vi.waitFor(() => expect(got(phone)).toEqual([`agent_board ${messageId}`, `agent_board ${messageId}`]), soon);
    await vi.waitFor(() => expect(queued('PushQueue')).toEqual([]), soon);
  },
);
