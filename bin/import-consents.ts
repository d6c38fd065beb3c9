import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { ConsentRecords, ConsentStates } from '../functions/access/consent-states.ts';
import { Agreements } from '../functions/agreements/tables.ts';
import { importConsents } from '../functions/consents/jobs/import-consents.ts';
import { openLedger, openTrial } from '../functions/consents/jobs/import-ledger.ts';
import { partitionOf } from '../functions/consents/rules.ts';
import { openManifest } from '../functions/ledger/jobs/sign-import.ts';
import { Users } from '../functions/users/tables.ts';
import { Accounts } from '../lib/contract/accounts.ts';
import { guarded } from '../lib/runtime/accounts.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { operatorSigning } from './operator-signing.ts';
import { counting, say } from './progress.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';
import { documentsAt, stageTables } from './stage-tables.ts';

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
  const tables = await stageTables(
    stage,
    [ConsentRecords, ConsentStates, Agreements, Accounts, Users],
    guarded(documentsAt(stage, { ...commandLimits, maxAttempts: 8 })),
  );
  const manifest = openManifest({
    ...(await operatorSigning(stage, options.stage)),
    by,
    now: () => new Date(),
  });
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  const counted = await importConsents(lines, {
    tables,
    ledger: dryRun ? openTrial(tables) : openLedger(tables),
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
