import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { importConsents } from '../functions/consents/jobs/import-consents.ts';
import { openLedger, openTrial } from '../functions/consents/jobs/import-ledger.ts';
import { partitionOf } from '../functions/consents/rules.ts';
import { openManifest } from '../functions/ledger/jobs/sign-import.ts';
import { guarded } from '../lib/runtime/accounts.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { operatorSigning } from './operator-signing.ts';
import { counting, say } from './progress.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';

type Options = StageArguments & {
  readonly file: string;
  readonly by: string;
  readonly unknownUsers: boolean;
  readonly dryRun: boolean;
};

export async function run({ file, by, unknownUsers, dryRun, ...options }: Options): Promise<void> {
  // Before the stage is asked. A pipe can be read once only, so nobody knows how many lines there are.
  await access(file);
  const stage = await stageAccess(options);
  const client = guarded(
    documentsOf(new DynamoDBClient({ ...commandLimits, maxAttempts: 8, ...stage.client('dynamodb') })),
  );
  const tables = {
    ConsentRecords: await stage.outputs('ConsentRecordsTableName'),
    ConsentStates: await stage.outputs('ConsentStatesTableName'),
    Agreements: await stage.outputs('AgreementsTableName'),
    Accounts: await stage.outputs('AccountsTableName'),
    Users: await stage.outputs('UsersTableName'),
  };
  const manifest = openManifest({
    ...(await operatorSigning(stage, options.stage)),
    by,
    now: () => new Date(),
  });
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  const counted = await importConsents(lines, {
    client,
    tables,
    ledger: dryRun ? openTrial(client, tables) : openLedger(client, tables),
    unknownUsers,
    now: new Date(),
    refused: (number, says) => say(`line ${number}: ${says}`),
    brought: ({ userId, agreementId, sequence, hash }) =>
      dryRun ? undefined : manifest.add({ userAgreement: partitionOf({ userId, agreementId }), sequence, hash }),
    progress: counting('lines'),
  });
  const signed = await manifest.close();
  const { imported, there, unchanged, refused } = counted;
  say(
    `${counted.lines} lines: ${imported} ${dryRun ? 'would be imported' : 'imported'}, ${there} already there, ${unchanged} that change nothing, ${refused} refused; ${signed} signed`,
    console.error,
  );
  if (refused > 0) process.exitCode = 1;
}
