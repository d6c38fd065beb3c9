import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KMSClient } from '@aws-sdk/client-kms';
import { ConsentRecords, ConsentStates } from '../functions/access/consent-states.ts';
import { Agreements } from '../functions/agreements/tables.ts';
import { checkChain, checkPointer, recordsIn } from '../functions/ledger/rules.ts';
import { collectEvidence, evidenceLines } from '../functions/receipts/jobs/export-consents.ts';
import { evidencePage, type PageLocale } from '../functions/receipts/rules.ts';
import { readKeys } from '../functions/receipts/stores/published-keys.ts';
import { ConsentReceipts } from '../functions/receipts/tables.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { type EarlierKeys, receiptTrust } from './receipt-trust.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';
import { stageTables } from './stage-tables.ts';

type Options = StageArguments &
  EarlierKeys & { readonly user: string; readonly out: string; readonly locale: PageLocale; readonly timeZone: string };

export async function run(options: Options): Promise<void> {
  const { user, out, locale, timeZone } = options;
  const access = await stageAccess(options);
  const kms = new KMSClient({ ...commandLimits, ...access.client('kms') });
  const known = await receiptTrust(access, kms, options.stage ?? 'dev', options);
  const keys = await readKeys(known.evidence, known.trust);
  const evidence = await collectEvidence(
    {
      kms,
      tables: await stageTables(access, [ConsentRecords, ConsentStates, ConsentReceipts, Agreements]),
      keyArn: await access.outputs('ReceiptKeyArn'),
      keys: async () => keys,
      environment: options.stage ?? 'dev',
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
  write('consents.html', evidencePage(evidence, locale, timeZone));
  const problems = evidence.agreements.flatMap(({ agreementId, problems: found }) =>
    found.map((says) => `${agreementId}: ${says}`),
  );
  for (const problem of problems) console.log(problem);
  console.error(`${lines.length} records of ${evidence.agreements.length} agreements in ${out}`);
  if (problems.length > 0) process.exitCode = 1;
}
