import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { eraseAccounts } from '../consumers.ts';
import { queueOf } from '../rules/erasure.ts';
import { eraseDevices, eraseMessages, eraseProfile } from '../stores/account-data.ts';
import { dueUsers } from '../stores/erasure-rows.ts';
import { closeSignIn, deletePoolUser } from '../stores/user-pool.ts';
import { registerAt } from '../workflows/register.ts';
import { sweep } from '../workflows/sweep.ts';
import { type Erasing, eraseStep } from '../workflows/take-step.ts';

export const handler = runOnSchedule(eraseAccounts)(async (reach) => {
  const { tables, buckets, userPool, where, businessNow, now, log, remainingMs } = reach;
  const place = { dynamo: dynamo(), s3: s3(), table: tables.Erasures, bucket: buckets.Evidence };
  const register = registerAt(place, now, businessNow);
  const effects: Erasing = {
    closeSignIn: (userId) => closeSignIn(cognito(), userPool.id, userId),
    accessSeconds,
    // What says most of the person first; what one service refuses keeps nothing else.
    eraseAccount: (userId, begunAt) =>
      runAllThenThrow([
        ['profile', () => eraseProfile(dynamo(), tables.Users, { userId, erasedAt: begunAt })],
        ['pool', () => deletePoolUser(cognito(), userPool.id, userId)],
        ['messages', () => eraseMessages(dynamo(), tables.AgentBoardMessages, userId)],
        ['devices', () => eraseDevices({ dynamo: dynamo(), sns: sns() }, tables, userId)],
      ]),
  };
  const due = dueUsers(dynamo(), tables.Erasures, queueOf(where.application), now());
  return sweep(due, { step: (userId) => eraseStep(userId, register, effects), log, remainingMs });
});

await initialize(eraseAccounts);
