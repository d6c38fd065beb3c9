import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { deleteRestored, type Restored, restoreTables } from './restore-tables.ts';
import { stateOutput } from './stack-outputs.ts';

/**
 * `npm run restore-drill -- --stage staging [--table ConsentRecords …] [--to 2026-11-21T12:00:00Z]`: restores tables by
 * point-in-time recovery beside the ones in use, checks them, and deletes them again; docs/restore.md has what follows when it
 * is no drill (`--keep`). `--dry-run` only says what it would do. The tables in use are read, never written.
 * Exit codes: 0 all is as it should be, 1 something is not, 2 it could not be done.
 */

const usage = 'npm run restore-drill -- --stage dev|staging|prod [--table NAME …] [--to ISO-TIME] [--dry-run] [--keep]';
const limits = { maxAttempts: 10, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };
/** Together they are the ledger, which can be checked as a whole. */
const ledger = ['ConsentRecords', 'ConsentStates'] as const;

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      table: { type: 'string', multiple: true, default: [...ledger] },
      to: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  if (!values.stage) throw new Error(usage);
  const stage = environmentNamed(values.stage);
  const to = values.to === undefined ? undefined : new Date(values.to);
  if (to && Number.isNaN(to.getTime())) throw new Error(`--to is no time: ${values.to}`);
  const dynamo = new DynamoDBClient(limits);
  const physical = new Map<string, string>();
  for (const name of values.table) physical.set(name, await stateOutput(stage, `${name}TableName`));
  const began = Date.now();
  const restored = await restoreTables({
    dynamo,
    tables: [...physical.values()],
    to,
    suffix: `restored-${new Date(began).toISOString().replace(/\D/g, '').slice(0, 14)}`,
    isDry: values['dry-run'],
    print: (line) => console.log(line),
  });
  const nameOf = (name: string) => restored.find(({ source }) => source === physical.get(name))?.name;
  for (const each of restored) console.log(lineOf(each));
  const [records, states] = ledger.map(nameOf);
  const isSound = records && states ? verify(stage, records, states) : true;
  if (restored.length > 0) console.log(`restored and checked in ${Math.round((Date.now() - began) / 60_000)} minutes`);
  if (!isSound || restored.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
  if (values.keep) console.log('kept: go on with docs/restore.md');
  else if (restored.length > 0) await deleteRestored({ dynamo }, restored);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function lineOf({ source, name, items, differences }: Restored): string {
  const state = differences.length === 0 ? `as ${source}` : `NOT as ${source}: ${differences.join(', ')}`;
  return `${name}: ${items} items, ${state}`;
}

/**
 * Chains and pointers: a checkpoint from after the restored time rightly misses what came then. A check with checkpoints
 * (docs/restore.md) names what was lost.
 */
function verify(stage: string, records: string, states: string): boolean {
  const command = ['--stage', stage, '--records', records, '--states', states, '--without-checkpoint'];
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'verify-ledger.ts'), ...command], {
    stdio: 'inherit',
  });
  return status === 0;
}
