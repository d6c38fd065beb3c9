import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Fault } from '../../lib/local/service/faults.ts';
import { eventually } from '../eventually.ts';
import { pushStage, token } from './delivery-stage.ts';

/** The sender's process ends with SIGKILL in the midst of a delivery: nothing is lost, and at most one push comes twice. */

const { patient, post, got, settled, setLeases, queues, faults, log } = pushStage({ patience: 1, asDeployed: true });

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
function killAtPublish(fault: Fault | undefined): Promise<void> {
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

test.runIf(process.platform === 'linux')('killed before its claim: one push', async () => {
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
  await settled();
  expect(got(phone)).toEqual([`agent_board ${messageId}`]);
});

test.runIf(process.platform === 'linux')('killed before Publish: one push, when the lease is over', async () => {
  const phone = token();
  const { userId } = await patient(phone);
  const killed = killAtPublish('hang');
  const messageId = await post(userId);
  await killed;
  // Redelivered within the lease it waits, as it might still be on its way.
  await setLeases(Date.now() + 3_600_000);
  queues().elapse(60_000);
  await eventually(() => expect(log.join('\n')).toContain('another sender is at it'));
  expect(got(phone)).toEqual([]);
  await settled();
  expect(got(phone)).toEqual([`agent_board ${messageId}`]);
});

test.runIf(process.platform === 'linux')('killed after Publish: twice, under the same messageId', async () => {
  const phone = token();
  const { userId } = await patient(phone);
  const killed = killAtPublish(undefined);
  const messageId = await post(userId);
  await killed;
  await settled();
  expect(got(phone)).toEqual([`agent_board ${messageId}`, `agent_board ${messageId}`]);
});
