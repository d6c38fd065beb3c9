import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tables } from '../functions/domains.ts';
import type { Environment } from '../lib/contract/register.ts';
import { tableExistsIn } from '../lib/contract/tables.ts';
import { equipRestored } from './equip-restored.ts';
import { say } from './progress.ts';
import { deleteRestored, type Restored, restoresAtOnce, restoreTables } from './restore-tables.ts';
import { stateOutput } from './stack-outputs.ts';

type RestoreOptions = {
  readonly table?: string[];
  readonly all: boolean;
  readonly to?: Date;
  readonly dryRun: boolean;
  readonly keep: boolean;
};
type Options = RestoreOptions & { readonly stage: Environment; readonly equip?: string };

const limits = { maxAttempts: 10, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };
/** These tables together are the ledger, which can be checked as a whole. */
const ledger = ['ConsentRecords', 'ConsentStates'] as const;

export async function run({ stage, equip, ...options }: Options): Promise<void> {
  const dynamo = new DynamoDBClient(limits);
  if (equip === undefined) await drill(dynamo, stage, options);
  else await equipOne(dynamo, stage, equip, options.table ?? []);
}

async function drill(
  dynamo: DynamoDBClient,
  stage: Environment,
  { to, dryRun, keep, all, ...wanted }: RestoreOptions,
): Promise<void> {
  const physical = new Map<string, string>();
  const ofStage = tables.filter((declared) => tableExistsIn(declared, stage)).map(({ name }) => name);
  for (const name of all ? ofStage : (wanted.table ?? ledger))
    physical.set(name, await stateOutput(stage, `${name}TableName`));
  const rounds = Math.ceil(physical.size / restoresAtOnce);
  say(
    `${physical.size} tables, ${restoresAtOnce} at a time: expect about ${rounds === 1 ? 'an hour' : `${rounds} hours`}`,
  );
  const began = Date.now();
  const { restored, failures, names } = await restoreTables({
    dynamo,
    tables: [...physical.values()],
    to,
    suffix: `restored-${new Date(began).toISOString().replace(/\D/g, '').slice(0, 14)}`,
    isDry: dryRun,
    keeps: keep,
    print: say,
  });
  try {
    for (const each of restored) say(lineOf(each));
    if (failures.length > 0) throw new Error(`not restored: ${failures.join('; ')}`);
    const nameOf = (name: string) => restored.find(({ source }) => source === physical.get(name))?.name;
    const [records, states] = ledger.map(nameOf);
    const isSound = records && states ? verify(stage, records, states) : true;
    if (restored.length > 0)
      console.log(`restored and checked in ${Math.round((Date.now() - began) / 60_000)} minutes`);
    if (!isSound || restored.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
  } finally {
    if (keep) for (const name of names) console.log(`kept: ${name}; continue with docs/restore.md`);
    else await clear(dynamo, names);
  }
}

async function clear(dynamo: DynamoDBClient, names: readonly string[]): Promise<void> {
  const left = await deleteRestored({ dynamo }, names);
  for (const line of left) console.error(`left, to be deleted by hand: ${line}`);
  if (left.length > 0) process.exitCode ??= 1;
}

async function equipOne(dynamo: DynamoDBClient, stage: Environment, name: string, tables: string[]): Promise<void> {
  const [table] = tables;
  if (!table || tables.length > 1) throw new Error('--equip needs exactly one --table');
  const source = await stateOutput(stage, `${table}TableName`);
  const missing = await equipRestored(dynamo, { source, name });
  console.log(`${name}: ${stateOf(source, missing)}`);
  if (missing.length > 0) process.exitCode = 1;
}

function lineOf({ source, name, items, differences }: Restored): string {
  return `${name}: ${items} items, ${stateOf(source, differences)}`;
}

function stateOf(source: string, differences: readonly string[]): string {
  return differences.length === 0 ? `as ${source}` : `NOT as ${source}: ${differences.join(', ')}`;
}

/**
 * Checks only chains and pointers. A checkpoint from after the restored time has records that the restored tables cannot have. A
 * check with checkpoints (docs/restore.md) names the lost records.
 */
function verify(stage: string, records: string, states: string): boolean {
  const command = ['--stage', stage, '--records', records, '--states', states, '--without-checkpoint'];
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'cli.ts'), 'verify-ledger', ...command], {
    stdio: 'inherit',
  });
  return status === 0;
}
