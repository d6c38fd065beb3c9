import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { relistUsers } from '../functions/app-users/jobs/relist-users.ts';
import { rebuildOverview } from '../functions/overview/jobs/rebuild-overview.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run rebuild-overview -- --stage prod`, or `--local` for the running local stage. It makes the lists of users and the counts of
 * the overview again, while the service runs. After an interruption, run it again to continue.
 */

/** A page has up to a megabyte. One throttled call must not end a run of hours. */
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
