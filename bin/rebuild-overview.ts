import { Entitlements } from '../functions/access-codes/tables.ts';
import { relistUsers } from '../functions/app-users/jobs/relist-users.ts';
import { UserDirectory } from '../functions/app-users/tables.ts';
import { rebuildOverview } from '../functions/overview/jobs/rebuild-overview.ts';
import { OverviewEntries, OverviewFigures } from '../functions/overview/tables.ts';
import { QuestionnaireResponses } from '../functions/questionnaire-responses/tables.ts';
import { SleepEntries } from '../functions/sleep/tables.ts';
import { SupportTickets } from '../functions/support/tables.ts';
import { Users } from '../functions/users/tables.ts';
import { type StageArguments, scanLimits, stageAccess } from './stage-access.ts';
import { documentsAt, stageTables } from './stage-tables.ts';

export async function run(options: StageArguments): Promise<void> {
  const access = await stageAccess(options);
  const tables = await stageTables(
    access,
    [
      OverviewFigures,
      OverviewEntries,
      Users,
      UserDirectory,
      Entitlements,
      QuestionnaireResponses,
      SleepEntries,
      SupportTickets,
    ],
    documentsAt(access, scanLimits),
  );
  const progress = (line: string) => console.error(line);
  progress(`${await relistUsers({ tables })} users are in the lists`);
  const { generation, counted } = await rebuildOverview({ tables, progress });
  console.log(`${counted} rows are counted; generation ${generation} is read`);
}
