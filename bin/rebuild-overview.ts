import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { relistUsers } from '../functions/app-users/jobs/relist-users.ts';
import { rebuildOverview } from '../functions/overview/jobs/rebuild-overview.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { type StageArguments, scanLimits, stageAccess } from './stage-access.ts';

export async function run(options: StageArguments): Promise<void> {
  const access = await stageAccess(options);
  const client = documentsOf(new DynamoDBClient({ ...scanLimits, ...access.client('dynamodb') }));
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
}
