import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { retentionYears } from '../functions/erasure/rules.ts';
import { isHeld } from '../functions/erasure/stores/hold-rows.ts';
import { readTrustedKeys } from '../functions/ledger/jobs/verify-keys.ts';
import { type Verdict, verifyLedger } from '../functions/ledger/jobs/verify-ledger.ts';
import type { Finding } from '../functions/ledger/rules.ts';
import { datedGraceMs, environments } from '../functions/product.ts';
import { checkKeys } from '../functions/receipts/jobs/check-keys.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run verify-ledger -- --stage prod`: checks every chain, pointer and checkpoint of the consent ledger, with the
 * shell's AWS credentials and region. Findings are printed to stdout, one line each, and the progress to stderr.
 * Exit codes: 0 nothing is wrong, 1 something is, 2 it could not be checked.
 */

const usage =
  'npm run verify-ledger -- --stage dev|staging|prod | --local [--segments 8] [--resume folder] [--key arn …] [--receipt-key arn …] [--manifest-key arn …] [--vouching-key arn …] [--revocation-key arn …] [--keys jwks.json] [--vouching-keys jwks.json] [--revocation-keys jwks.json] [--import-keys jwks.json] [--tombstone-keys jwks.json] [--moved-clock] [--records table --states table] [--retention-years 10] [--without-checkpoint] [--max-age-hours 3]';
/** A page has up to a megabyte. One throttled call must not end a run of hours. */
const limits = {
  maxAttempts: 10,
  retryMode: 'adaptive',
  requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      local: { type: 'boolean' },
      segments: { type: 'string', default: '8' },
      resume: { type: 'string' },
      key: { type: 'string', multiple: true, default: [] },
      // Earlier generations of the keys of receipts and manifests.
      'receipt-key': { type: 'string', multiple: true, default: [] },
      'manifest-key': { type: 'string', multiple: true, default: [] },
      'vouching-key': { type: 'string', multiple: true, default: [] },
      'revocation-key': { type: 'string', multiple: true, default: [] },
      keys: { type: 'string' },
      'vouching-keys': { type: 'string' },
      'revocation-keys': { type: 'string' },
      'import-keys': { type: 'string' },
      'tombstone-keys': { type: 'string' },
      // Records have the time machine's dates. Prod has no time machine.
      'moved-clock': { type: 'boolean', default: false },
      // Restored tables that are checked instead of the tables in use.
      records: { type: 'string' },
      states: { type: 'string' },
      // The time machine releases records before their time; 0 is for a stage where it was used.
      'retention-years': { type: 'string', default: String(retentionYears) },
      'without-checkpoint': { type: 'boolean', default: false },
      // A checkpoint is written every hour. 0 accepts any age.
      'max-age-hours': { type: 'string', default: '3' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const segments = Number(values.segments);
  if (!(Number.isInteger(segments) && segments >= 1 && segments <= 1000)) throw new Error(usage);
  const maxAgeHours = Number(values['max-age-hours']);
  if (!(maxAgeHours >= 0 && values['max-age-hours'] !== '')) throw new Error(usage);
  const years = Number(values['retention-years']);
  if (!(Number.isInteger(years) && years >= 0)) throw new Error(usage);
  const access = await stageAccess(values);
  const kms = new KMSClient({ ...limits, ...access.client('kms') });
  const movedClock = values['moved-clock'];
  if (movedClock && values.stage === 'prod')
    throw new Error('prod has no time machine: its records are dated by the real time');
  // Each kind of statement has its own key, so a signature of one kind is not accepted for another kind.
  const trusted = async (name: string, file: string | undefined, earlier: readonly string[] = []) => {
    const jwks = file === undefined ? null : readFileSync(file, 'utf8');
    const arns = jwks === null && values.keys === undefined ? [await access.outputs(`${name}Arn`), ...earlier] : [];
    return readTrustedKeys({ kms, arns, jwks });
  };
  const directory = values.resume ?? mkdtempSync(join(tmpdir(), 'verify-ledger-'));
  const ledgerKeys = await trusted('LedgerKey', values.keys, values.key);
  const dynamo = documentsOf(new DynamoDBClient({ ...limits, ...access.client('dynamodb') }));
  const evidence = {
    s3: new S3Client({ ...limits, ...access.client('s3') }),
    bucket: await access.outputs('EvidenceBucketName'),
  };
  const trust = {
    environment: values.stage ?? 'dev',
    receiptKeys: await trusted('ReceiptKey', undefined, values['receipt-key']),
    manifestKeys: await trusted('ResearchManifestKey', undefined, values['manifest-key']),
    vouchingKeys: await trusted('VouchingKey', values['vouching-keys'], values['vouching-key']),
    revocationKeys: await trusted('RevocationKey', values['revocation-keys'], values['revocation-key']),
  };
  // Keys that were kept elsewhere are used if KMS cannot be asked.
  const asksKms = values.keys === undefined;
  const knowsWho = asksKms || (values['vouching-keys'] !== undefined && values['revocation-keys'] !== undefined);
  if (!knowsWho) console.error('RECEIPTS’ KEYS ARE NOT CHECKED: --keys needs --vouching-keys and --revocation-keys');
  const foreign = knowsWho ? await checkKeys(evidence, trust, asksKms) : [];
  for (const finding of foreign) console.log(lineOf(finding));
  const holds = await access.outputs('LegalHoldsTableName');
  const verdict = await verifyLedger({
    client: dynamo,
    tables: {
      ConsentRecords: values.records ?? (await access.outputs('ConsentRecordsTableName')),
      ConsentStates: values.states ?? (await access.outputs('ConsentStatesTableName')),
    },
    evidence,
    keys: ledgerKeys,
    importKeys: await trusted('ImportKey', values['import-keys']),
    tombstoneKeys: await trusted('TombstoneKey', values['tombstone-keys']),
    movedClock,
    environment: values.stage ?? 'dev',
    directory,
    segments,
    isHeld: (userId) => isHeld(dynamo, holds, userId),
    retentionYears: years,
    graceMs: datedGraceMs[environments.find((one) => one === values.stage) ?? 'dev'],
    withoutCheckpoint: values['without-checkpoint'],
    ...(maxAgeHours > 0 && { freshSince: new Date(Date.now() - maxAgeHours * 3_600_000) }),
    found: (finding) => console.log(lineOf(finding)),
    progress: (line) => console.error(line),
  });
  const findings = verdict.findings + foreign.length;
  for (const line of summaryOf({ ...verdict, findings })) console.error(line);
  if (findings > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function lineOf({ kind, userId, agreementId, recordedAt, sequence, says }: Finding): string {
  if (userId === null) return `${kind}: ${says}`;
  return `${kind}: user ${userId}, agreement ${agreementId}, record ${sequence ?? '?'} of ${recordedAt ?? '?'}: ${says}`;
}

function summaryOf({ records, chains, pointers, findings, checkpoints, newest, imports, seconds }: Verdict): string[] {
  const rate = Math.round(records / seconds);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  return [
    `${records} records of ${chains} chains and ${pointers} pointers in ${seconds.toFixed(1)} s: ${rate} records/s, ${megabytes} MB at most`,
    newest
      ? `compared with ${checkpoints} checkpoints, the last of ${newest.at}: records since then could be rewritten as a whole without a trace`
      : 'COMPARED WITH NO CHECKPOINT: anybody with write access to the tables could have rewritten everything, and this check would not show it',
    ...imports.map(({ at, by, count }) => `imported: ${count} records, signed by ${by} at ${at}`),
    findings === 0 ? 'nothing is wrong' : `${findings} findings`,
  ];
}
