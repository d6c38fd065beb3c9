import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { rebuildStatistics } from '../functions/statistics/jobs/rebuild-statistics.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run rebuild-statistics -- --stage prod`, or `--local` for the running local stage. It counts the whole consent ledger again,
 * while users can still consent. Then the statistics use the new figures. After an interruption, run it again to continue.
 */

/** A page has up to a megabyte. One throttled call must not end a run of hours. */
const limits = {
  maxAttempts: 10,
  retryMode: 'adaptive',
  requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, local: { type: 'boolean' }, segments: { type: 'string', default: '4' } },
  });
  const segments = Number(values.segments);
  if (!(Number.isInteger(segments) && segments >= 1 && segments <= 1000)) throw new Error('--segments: 1 to 1000');
  const access = await stageAccess(values);
  const { generation, records } = await rebuildStatistics({
    client: documentsOf(new DynamoDBClient({ ...limits, ...access.client('dynamodb') })),
    tables: {
      ConsentRecords: await access.outputs('ConsentRecordsTableName'),
      ConsentStatistics: await access.outputs('ConsentStatisticsTableName'),
    },
    segments,
    progress: (line) => console.error(line),
  });
  console.log(`${records} records are counted; the statistics are now read from generation ${generation}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
