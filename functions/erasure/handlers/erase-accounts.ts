import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { readAccount } from '../../../lib/runtime/accounts.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { type Part, runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { handleNamed } from '../../../lib/runtime/table-handle.ts';
import { erasedTables } from '../../generated/erased-tables.ts';
import { eraseAccounts } from '../consumers.ts';
import { queueOf } from '../rules/due.ts';
import { repairAccount } from '../stores/account-rows.ts';
import { dueUsers } from '../stores/erasure-rows.ts';
import { lastRecordAt } from '../stores/last-record.ts';
import { erasePersonalRows } from '../stores/personal-rows.ts';
import { closeSignIn, deletePoolUser } from '../stores/user-pool.ts';
import { endSessions } from '../workflows/end-sessions.ts';
import { evidenceIn } from '../workflows/evidence.ts';
import { ownErasers } from '../workflows/own-erasers-generated.ts';
import { registerAt } from '../workflows/register.ts';
import { sweep } from '../workflows/sweep.ts';
import { type Erasing, eraseStep } from '../workflows/take-step.ts';

export const handler = runOnSchedule(eraseAccounts)(async (deps) => {
  const { tables, buckets, userPool, where, businessNow, now, log, remainingMs } = deps;
  const registerDeps = {
    s3: s3(),
    table: tables.Erasures,
    accounts: tables.Accounts,
    holds: tables.LegalHolds,
    bucket: buckets.Evidence,
  };
  const register = registerAt(registerDeps, now, businessNow);
  const tablesHere = erasedTables.filter(({ table, through = table }) =>
    [table, through].every((one) => tableExistsIn(one, where.environment)),
  );
  const effects: Erasing = {
    ...evidenceIn(registerDeps, where.environment, now),
    lastRecordAt: (userId) => lastRecordAt(tables.ConsentStates, userId),
    endSessions: (userId) => endSessions({ cognito: cognito(), tables, userPool }, userId),
    closeAccount: (erasure) => repairAccount({ table: tables.Erasures, accounts: tables.Accounts }, erasure),
    readAccount: (userId) => readAccount({ table: tables.Accounts, userId }),
    closeSignIn: (userId) => closeSignIn(cognito(), userPool.id, userId),
    accessSeconds,
    // If one service or domain refuses its part, the other parts are still erased.
    eraseAccount: (userId, begunAt) =>
      runAllThenThrow([
        ['pool', () => deletePoolUser(cognito(), userPool.id, userId)],
        ...Object.entries(ownErasers).map(([name, erase]): Part => {
          return [name, () => erase({ sns: sns(), s3: s3(), tables, buckets }, { userId, erasedAt: begunAt })];
        }),
        ...tablesHere.map((each): Part => {
          return [each.table.name, () => erasePersonalRows(each, (name) => handleNamed(tables, name), userId)];
        }),
      ]),
  };
  // The grace period ends by the business rules' time. Everything else uses the real time.
  const until = new Date(Math.max(now().getTime(), businessNow.getTime()));
  const due = dueUsers(tables.Erasures, queueOf(where.application), until);
  return sweep(due, { step: (userId) => eraseStep(userId, register, effects), log, remainingMs });
});
