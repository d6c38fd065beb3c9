import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { relistUsers } from '../functions/app-users/jobs/relist-users.ts';
import { rebuildOverview } from '../functions/overview/jobs/rebuild-overview.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run rebuild-overview -- --stage prod`, or `--local` for the running local stage: lists the users of the app and counts what the
 * overview shows anew, while all go on. Interrupted, it goes on when it is run again.
 */

/** A page is up to a megabyte, and a walk of hours must not end with one call that was throttled. */
const limits = {
  maxAttempts: 10,
  retryMode: 'adaptive',
  requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

try {
  const { values } = parseArgs({ options: { stage: { type: 'string' }, local: { type: 'boolean' } } });
  const access = await stageAccess(values);
  const client = documentsOf(new DynamoDBClient({ ...limits, ...access.client('dynamodb') }));
  const tables = {
    OverviewFigures: await access.outputs('OverviewFiguresTableName'),
    OverviewEntries: await access.outputs('OverviewEntriesTableName'),
    Users: await access.outputs('UsersTableName'),
    UserDirectory: await access.outputs('UserDirectoryTableName'),
    Entitlements: await access.outputs('EntitlementsTableName'),
    QuestionnaireResponses: await access.outputs('QuestionnaireResponsesTableName'),
    SleepEntries: await access.outputs('SleepEntriesTableName'),
    SupportTickets: await access.outputs('SupportTicketsTableName'),
  };
  const progress = (line: string) => console.error(line);
  progress(`${await relistUsers({ client, tables })} users are in the lists`);
  const { generation, counted } = await rebuildOverview({ client, tables, progress });
  console.log(`${counted} rows are counted; generation ${generation} is read`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
