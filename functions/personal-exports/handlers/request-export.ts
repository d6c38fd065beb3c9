import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { sendAll } from '../../../lib/runtime/sqs.ts';
import { introduce, meetUser } from '../../users/exports.ts';
import { TooManyExports } from '../errors.ts';
import { requestExport } from '../routes.ts';
import { shown } from '../rules/export.ts';
import { addExport, readLatest } from '../stores/export-rows.ts';
import { requestAnExport } from '../workflows/request-an-export.ts';

export const handler = serve(requestExport)(async (input) => {
  const { caller, application, tables, queues, userPool, fail } = input;
  const { userId } = caller;
  // What the user pool knows of somebody who never looked at the own profile is in it, too; a closed account gets no profile.
  await whileOpen({ table: tables.Accounts, userId }, () =>
    meetUser(tables.Users, userId, () => introduce(cognito(), userPool.id, input)),
  );
  const requested = await requestAnExport({
    userId,
    application,
    random: crypto.randomUUID().replaceAll('-', ''),
    now: () => new Date(),
    readLatest: () => readLatest(tables.PersonalExports, userId, new Date()),
    add: (row, latestId) => addExport(tables, row, latestId),
    send: ({ exportId }) => sendAll(queues.PersonalExportQueue, [{ userId, exportId }]),
  });
  if (requested.outcome === 'refused') return fail(TooManyExports, { possibleAt: requested.possibleAt });
  return shown(requested.row, new Date());
});
