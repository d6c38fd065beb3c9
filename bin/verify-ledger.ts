import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { ConsentRecords, ConsentStates } from '../functions/access/consent-states.ts';
import { retentionYears } from '../functions/erasure/rules.ts';
import { isHeld } from '../functions/erasure/stores/hold-rows.ts';
import { LegalHolds } from '../functions/erasure/tables.ts';
import { readTrustedKeys } from '../functions/ledger/jobs/verify-keys.ts';
import { type Verdict, verifyLedger } from '../functions/ledger/jobs/verify-ledger.ts';
import type { Finding } from '../functions/ledger/rules.ts';
import { datedGraceMs } from '../functions/product.ts';
import { checkKeys } from '../functions/receipts/jobs/check-keys.ts';
import type { TableHandle } from '../lib/runtime/table-handle.ts';
import { oneLine, say, showProgress } from './progress.ts';
import type { EarlierKeys } from './receipt-trust.ts';
import { type StageArguments, scanLimits, stageAccess } from './stage-access.ts';
import { documentsAt, stageTables } from './stage-tables.ts';

type Options = StageArguments &
  EarlierKeys & {
    readonly segments: number;
    readonly resume?: string;
    readonly key: readonly string[];
    readonly keys?: string;
    readonly vouchingKeys?: string;
    readonly revocationKeys?: string;
    readonly importKeys?: string;
    readonly tombstoneKeys?: string;
    readonly movedClock: boolean;
    readonly records?: string;
    readonly states?: string;
    readonly retentionYears?: number;
    readonly withoutCheckpoint: boolean;
    readonly maxAgeHours: number;
  };

export async function run(options: Options): Promise<void> {
  const { stage, movedClock, maxAgeHours } = options;
  const access = await stageAccess(options);
  const kms = new KMSClient({ ...scanLimits, ...access.client('kms') });
  if (movedClock && stage === 'prod')
    throw new Error('prod has no time machine: its records are dated by the real time');
  // Each kind of statement has its own key, so a signature of one kind is not accepted for another kind.
  const trusted = async (name: string, file: string | undefined, earlier: readonly string[] = []) => {
    const jwks = file === undefined ? null : readFileSync(file, 'utf8');
    const arns = jwks === null && options.keys === undefined ? [await access.outputs(`${name}Arn`), ...earlier] : [];
    return readTrustedKeys({ kms, arns, jwks });
  };
  const directory = options.resume ?? mkdtempSync(join(tmpdir(), 'verify-ledger-'));
  const ledgerKeys = await trusted('LedgerKey', options.keys, options.key);
  const tables = await stageTables(
    access,
    [ConsentRecords, ConsentStates, LegalHolds],
    documentsAt(access, scanLimits),
  );
  const named = <T extends TableHandle>(table: T, name: string | undefined): T =>
    name === undefined ? table : { ...table, name };
  const evidence = {
    s3: new S3Client({ ...scanLimits, ...access.client('s3') }),
    bucket: await access.outputs('EvidenceBucketName'),
  };
  const trust = {
    environment: stage ?? 'dev',
    receiptKeys: await trusted('ReceiptKey', undefined, options.receiptKey),
    manifestKeys: await trusted('ResearchManifestKey', undefined, options.manifestKey),
    vouchingKeys: await trusted('VouchingKey', options.vouchingKeys, options.vouchingKey),
    revocationKeys: await trusted('RevocationKey', options.revocationKeys, options.revocationKey),
  };
  // Keys that were kept elsewhere are used if KMS cannot be asked.
  const asksKms = options.keys === undefined;
  const knowsWho = asksKms || (options.vouchingKeys !== undefined && options.revocationKeys !== undefined);
  if (!knowsWho) console.error('RECEIPTS’ KEYS ARE NOT CHECKED: --keys needs --vouching-keys and --revocation-keys');
  const foreign = knowsWho ? await checkKeys(evidence, trust, asksKms) : [];
  for (const finding of foreign) say(lineOf(finding));
  const verdict = await verifyLedger({
    tables: {
      ConsentRecords: named(tables.ConsentRecords, options.records),
      ConsentStates: named(tables.ConsentStates, options.states),
    },
    evidence,
    keys: ledgerKeys,
    importKeys: await trusted('ImportKey', options.importKeys),
    tombstoneKeys: await trusted('TombstoneKey', options.tombstoneKeys),
    movedClock,
    environment: stage ?? 'dev',
    directory,
    segments: options.segments,
    isHeld: (userId) => isHeld(tables.LegalHolds, userId),
    retentionYears: options.retentionYears ?? retentionYears,
    graceMs: datedGraceMs[stage ?? 'dev'],
    withoutCheckpoint: options.withoutCheckpoint,
    ...(maxAgeHours > 0 && { freshSince: new Date(Date.now() - maxAgeHours * 3_600_000) }),
    found: (finding) => say(lineOf(finding)),
    progress: showProgress,
  });
  const findings = verdict.findings + foreign.length;
  for (const line of summaryOf({ ...verdict, findings })) say(line, console.error);
  if (findings > 0) process.exitCode = 1;
}

function lineOf({ kind, userId, agreementId, recordedAt, sequence, says }: Finding): string {
  const whose = `user ${userId}, agreement ${agreementId}, record ${sequence ?? '?'} of ${recordedAt ?? '?'}: `;
  return oneLine(`${kind}: ${userId === null ? '' : whose}${says}`);
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
