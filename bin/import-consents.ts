import { createReadStream } from 'node:fs';
import { access as assertReadable } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { importConsents } from '../functions/consents/jobs/import-consents.ts';
import { openLedger, openTrial } from '../functions/consents/jobs/import-ledger.ts';
import { partitionOf } from '../functions/consents/rules.ts';
import { openManifest } from '../functions/ledger/jobs/sign-import.ts';
import { guarded } from '../lib/runtime/accounts.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { Failure } from '../lib/runtime/failure.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { operatorSigning } from './operator-signing.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run import-consents -- --file consents.jsonl --stage prod`, or `--local`: imports consents from another system
 * (docs/decisions/0026-import-and-export.md). A line that is refused is printed with its number, and the import continues. A second
 * run imports nothing twice. `--unknown-users` also accepts lines of users that are unknown here; then nobody notices a mistyped id.
 * The import is signed in the name of `--by`, because a check of the ledger accepts only signed imports. `--dry-run` writes nothing.
 * Exit codes: 0 all lines were imported, 1 some were refused, 2 it could not be done.
 */

const usage =
  'npm run import-consents -- --file consents.jsonl --stage dev|staging|prod | --local --by name [--unknown-users] [--dry-run]';

try {
  const { values } = parseArgs({
    options: {
      file: { type: 'string' },
      stage: { type: 'string' },
      local: { type: 'boolean' },
      by: { type: 'string' },
      'unknown-users': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { by } = values;
  if (!values.file || !by) throw new Error(usage);
  await assertReadable(values.file);
  const access = await stageAccess(values);
  const client = guarded(
    documentsOf(new DynamoDBClient({ ...commandLimits, maxAttempts: 8, ...access.client('dynamodb') })),
  );
  const tables = {
    ConsentRecords: await access.outputs('ConsentRecordsTableName'),
    ConsentStates: await access.outputs('ConsentStatesTableName'),
    Agreements: await access.outputs('AgreementsTableName'),
    Accounts: await access.outputs('AccountsTableName'),
    Users: await access.outputs('UsersTableName'),
  };
  const manifest = openManifest({
    ...(await operatorSigning(access, values.stage)),
    by,
    now: () => new Date(),
  });
  const lines = createInterface({ input: createReadStream(values.file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  const counted = await importConsents(lines, {
    client,
    tables,
    ledger: values['dry-run'] ? openTrial(client, tables) : openLedger(client, tables),
    unknownUsers: values['unknown-users'],
    now: new Date(),
    refused: (number, says) => console.log(`line ${number}: ${says}`),
    brought: ({ userId, agreementId, sequence, hash }) =>
      values['dry-run']
        ? undefined
        : manifest.add({ userAgreement: partitionOf({ userId, agreementId }), sequence, hash }),
    progress: (done) => console.error(`${done} lines`),
  });
  const signed = await manifest.close();
  const { imported, there, unchanged, refused } = counted;
  console.error(
    `${counted.lines} lines: ${imported} ${values['dry-run'] ? 'would be imported' : 'imported'}, ${there} already there, ${unchanged} that change nothing, ${refused} refused; ${signed} signed`,
  );
  if (refused > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Failure ? error.code : error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
