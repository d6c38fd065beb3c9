import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { rebuildStatistics } from '../functions/statistics/jobs/rebuild-statistics.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { type StageArguments, scanLimits, stageAccess } from './stage-access.ts';

export async function run({ segments, ...options }: StageArguments & { readonly segments: number }): Promise<void> {
  const access = await stageAccess(options);
  const { generation, records } = await rebuildStatistics({
    client: documentsOf(new DynamoDBClient({ ...scanLimits, ...access.client('dynamodb') })),
    tables: {
      ConsentRecords: await access.outputs('ConsentRecordsTableName'),
      ConsentStatistics: await access.outputs('ConsentStatisticsTableName'),
    },
    segments,
    progress: (line) => console.error(line),
  });
  console.log(`${records} records are counted; the statistics are now read from generation ${generation}`);
}
