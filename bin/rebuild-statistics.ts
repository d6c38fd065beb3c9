import { ConsentRecords } from '../functions/access/consent-states.ts';
import { rebuildStatistics } from '../functions/statistics/jobs/rebuild-statistics.ts';
import { ConsentStatistics } from '../functions/statistics/tables.ts';
import { type StageArguments, scanLimits, stageAccess } from './stage-access.ts';
import { documentsAt, stageTables } from './stage-tables.ts';

export async function run({ segments, ...options }: StageArguments & { readonly segments: number }): Promise<void> {
  const access = await stageAccess(options);
  const { generation, records } = await rebuildStatistics({
    tables: await stageTables(access, [ConsentRecords, ConsentStatistics], documentsAt(access, scanLimits)),
    segments,
    progress: (line) => console.error(line),
  });
  console.log(`${records} records are counted; the statistics are now read from generation ${generation}`);
}
