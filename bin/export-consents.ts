import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { checkChain, checkPointer, recordsIn } from '../functions/ledger/rules.ts';
import { collectEvidence, evidenceLines } from '../functions/receipts/jobs/export-consents.ts';
import { evidencePage, labels, type PageLocale } from '../functions/receipts/rules.ts';
import { readKeys } from '../functions/receipts/stores/published-keys.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { receiptTrust } from './receipt-trust.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run export-consents -- --user <userId> --stage prod --out folder`, or `--local`: writes all evidence about one person: JSON
 * Lines with receipts (`consents.jsonl`), the public keys (`jwks.json`) and a page to hand over (`consents.html`).
 * Exit codes: 0 nothing is wrong, 1 the check found something wrong, 2 it could not be done.
 */

const usage =
  'npm run export-consents -- --user <userId> --stage dev|staging|prod | --local --out folder [--locale en|de] [--time-zone Europe/Berlin] [--receipt-key arn …] [--manifest-key arn …] [--vouching-key arn …] [--revocation-key arn …]';

try {
  const { values } = parseArgs({
    options: {
      user: { type: 'string' },
      out: { type: 'string' },
      stage: { type: 'string' },
      local: { type: 'boolean' },
      locale: { type: 'string', default: 'en' },
      'time-zone': { type: 'string', default: 'UTC' },
      // Keys of earlier generations.
      'receipt-key': { type: 'string', multiple: true, default: [] },
      'manifest-key': { type: 'string', multiple: true, default: [] },
      'vouching-key': { type: 'string', multiple: true, default: [] },
      'revocation-key': { type: 'string', multiple: true, default: [] },
    },
  });
  const { user, out, locale, 'time-zone': timeZone } = values;
  if (!user || !out || !(locale in labels)) throw new Error(usage);
  const access = await stageAccess(values);
  const table = (name: string) => access.outputs(`${name}TableName`);
  const kms = new KMSClient({ ...commandLimits, ...access.client('kms') });
  const known = await receiptTrust(access, kms, values.stage ?? 'dev', values);
  const keys = await readKeys(known.evidence, known.trust);
  const evidence = await collectEvidence(
    {
      dynamo: documentsOf(new DynamoDBClient({ ...commandLimits, ...access.client('dynamodb') })),
      kms,
      tables: {
        ConsentRecords: await table('ConsentRecords'),
        ConsentStates: await table('ConsentStates'),
        ConsentReceipts: await table('ConsentReceipts'),
        Agreements: await table('Agreements'),
      },
      keyArn: await access.outputs('ReceiptKeyArn'),
      keys: async () => keys,
      environment: values.stage ?? 'dev',
      realNow: new Date(),
      examine: (userAgreement, rows, pointer) =>
        [...checkChain(userAgreement, rows), ...checkPointer(userAgreement, recordsIn(rows), pointer)].map(
          ({ says }) => says,
        ),
    },
    user,
  );
  const lines = [...evidenceLines(evidence)];
  if (evidence.agreements.length === 0) throw new Error(`there is no record of ${user}`);
  // A person's decisions: other users of this machine must not read them.
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) => writeFileSync(join(out, name), text, { mode: 0o600 });
  write('consents.jsonl', lines.map((line) => `${line}\n`).join(''));
  write('jwks.json', `${JSON.stringify({ keys: evidence.keys }, null, 2)}\n`);
  write('consents.html', evidencePage(evidence, locale as PageLocale, timeZone));
  const problems = evidence.agreements.flatMap(({ agreementId, problems: found }) =>
    found.map((says) => `${agreementId}: ${says}`),
  );
  for (const problem of problems) console.log(problem);
  console.error(`${lines.length} records of ${evidence.agreements.length} agreements in ${out}`);
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
