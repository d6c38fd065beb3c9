import type { KMSClient } from '@aws-sdk/client-kms';
import { isSignedBy, readCompact, thumbprintOf } from '../../../lib/runtime/jws.ts';
import { inPartition, startingWith } from '../../../lib/runtime/key-range.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { queryAll, queryEach } from '../../../lib/runtime/query-all.ts';
import { get } from '../../../lib/runtime/rows.ts';
import type { ConsentRecords, ConsentStates } from '../../access/consent-states.ts';
import { type Agreement, agreementKey, namesPartition } from '../../agreements/rules.ts';
import type { Agreements } from '../../agreements/tables.ts';
import { partitionOf } from '../../consents/rules.ts';
import type { AgreementEvidence, Entry, Evidence } from '../rules/evidence-page.ts';
import type { VouchedKey } from '../rules/key-statement.ts';
import { receiptType } from '../rules/signed-types.ts';
import { judgeReceipt } from '../rules/verification.ts';
import { type Kept, keptIn, readContent } from '../stores/receipt-rows.ts';
import { findReceipt, type Issuing, issueReceipt, ReceiptMismatch } from '../workflows/issue-receipt.ts';

/** `npm run cli -- export-consents` writes one person's whole evidence, each record with its receipt. */

type ReceiptJwk = Omit<VouchedKey, 'revokedAt'>;

type Row = Readonly<Record<string, unknown>>;

export type Export = {
  readonly kms: KMSClient;
  readonly tables: Issuing['tables'] & {
    readonly Agreements: Agreements<'query'>;
    readonly ConsentRecords: ConsentRecords<'query'>;
    readonly ConsentStates: ConsentStates<'get' | 'query'>;
  };
  readonly keyArn: string;
  readonly keys: Issuing['keys'];
  readonly environment: string;
  readonly realNow: Date;
  /** What is wrong with a chain: its rows in order, and its pointer. */
  readonly examine: (userAgreement: string, rows: readonly Row[], pointer: Row | null) => string[];
};

const chainsAtOnce = 8;

/**
 * Signs missing receipts, as a request for them would, but only in chains without a finding. @throws if the stage
 * cannot be reached
 */
export async function collectEvidence(from: Export, userId: string): Promise<Evidence & { keys: ReceiptJwk[] }> {
  const { environment, realNow } = from;
  const owners = await readOwners(from, userId);
  const found = await mapWithConcurrency([...owners], chainsAtOnce, ([agreementId, owner]) => {
    return readEvidence(from, { userId, agreementId }, owner);
  });
  const keys = (await from.keys(''))
    .filter(({ signs }) => signs === receiptType)
    .map(({ revokedAt: _revokedAt, ...jwk }) => jwk);
  return {
    userId,
    environment,
    exportedAt: realNow.toISOString(),
    agreements: found.filter((each) => each !== null).map((each) => withReceiptsChecked(each, keys, environment)),
    keys,
  };
}

/** Verifies with the exported keys, as the recipient of the export will do. */
function withReceiptsChecked(evidence: AgreementEvidence, keys: ReceiptJwk[], environment: string): AgreementEvidence {
  const trusted = keys.map((key) => ({ ...key, revokedAt: null }));
  const problems = evidence.entries.flatMap(({ record, receipt }) => {
    if (receipt === null) return [`record ${record.sequence} has no valid receipt`];
    const { refusal } = judgeReceipt(readCompact(receipt), trusted, environment, { isSignedBy, thumbprintOf });
    return refusal === null ? [] : [`the receipt of record ${record.sequence} does not verify: ${refusal}`];
  });
  return { ...evidence, problems: [...evidence.problems, ...problems] };
}

/** One record in each line, in the page's order. */
export function* evidenceLines({ agreements }: Evidence): Iterable<string> {
  for (const { agreementId, application, title, entries } of agreements) {
    for (const entry of entries) yield JSON.stringify({ application, agreementId, title, ...entry });
  }
}

/**
 * Every agreement that may have records of the person, with its application: the agreements of both catalogues, and
 * those that the pointers name. So a removed pointer hides no record.
 */
async function readOwners({ tables }: Export, userId: string): Promise<Map<string, string | null>> {
  const pointers = await queryAll(tables.ConsentStates, inPartition({ userId }));
  const names = await queryAll<{ catalogueKey: string; owner: string }>(
    tables.Agreements,
    inPartition({ application: namesPartition }, { catalogueKey: startingWith(agreementKey('')) }),
  );
  return new Map([
    ...pointers.map(({ agreementId }) => [agreementId, null] as const),
    ...names.map(({ catalogueKey, owner }) => [catalogueKey.slice(agreementKey('').length), owner] as const),
  ]);
}

type Owner = { userId: string; agreementId: string };

async function readEvidence(from: Export, owner: Owner, application: string | null): Promise<AgreementEvidence | null> {
  const { tables } = from;
  const { agreementId } = owner;
  const { rows, problems } = await readChecked(from, owner);
  if (rows.length === 0 && problems.length === 0) return null;
  const place = { application, catalogueKey: agreementKey(agreementId) };
  const agreement = application && (await get<Agreement>(tables.Agreements, place));
  const entries: Entry[] = [];
  const mayIssue = problems.length === 0;
  for (const row of rows) entries.push(await readEntry(from, keptIn(row), { application, mayIssue }));
  return {
    agreementId,
    application,
    title: agreement ? agreement.title : agreementId,
    isRequired: agreement ? agreement.isRequired : false,
    problems,
    entries,
  };
}

type Checked = { rows: Row[]; problems: string[] };

const readings = 3;

/** A new consent during the reading is not a fault of the chain: a chain with a finding is read again. */
async function readChecked(from: Export, owner: Owner, reading = 1): Promise<Checked> {
  const { tables, examine } = from;
  const userAgreement = partitionOf(owner);
  const rows = await Array.fromAsync(queryEach(tables.ConsentRecords, inPartition({ userAgreement })));
  const pointer = await get(tables.ConsentStates, owner);
  const problems = examine(userAgreement, rows, pointer);
  return problems.length > 0 && reading < readings ? readChecked(from, owner, reading + 1) : { rows, problems };
}

type Signing = { application: string | null; mayIssue: boolean };

async function readEntry(from: Export, kept: Kept, signing: Signing): Promise<Entry> {
  const { record } = kept;
  const { tables } = from;
  const { application } = signing;
  const content = application && (await readContent(tables.Agreements, { ...record, application }));
  return {
    record,
    text: content ? { title: content.title, contentUrl: content.contentUrl } : null,
    receipt: await receiptOf(from, kept, signing),
  };
}

/** In a chain with a finding nothing is signed: only existing receipts are shown. */
async function receiptOf(from: Export, kept: Kept, { application, mayIssue }: Signing): Promise<string | null> {
  try {
    const found =
      mayIssue && application !== null
        ? await issueReceipt({ ...from, application }, kept)
        : await findReceipt({ ...from, application }, kept.record);
    return found?.receipt ?? null;
  } catch (error) {
    if (error instanceof ReceiptMismatch) return null;
    throw error;
  }
}
