import { isDeepStrictEqual } from 'node:util';
import type { Account, Accounts } from '../../../lib/contract/accounts.ts';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { readAccount, whileOpen } from '../../../lib/runtime/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { get, query } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import type { ConsentRecord, ConsentState, ConsentStates } from '../../access/consent-states.ts';
import { readAgreement, readVersionName } from '../../agreements/exports.ts';
import type { Agreement, Version } from '../../agreements/rules.ts';
import type { Agreements } from '../../agreements/tables.ts';
import type { Users } from '../../users/tables.ts';
import type { Shown } from '../rules/consent.ts';
import { decideImport, recordIdOf } from '../rules/imported-consent.ts';
import { hashOf, partitionOf } from '../rules/record.ts';
import { type ReadLine, readLine } from './import-file.ts';
import type { Ledger } from './import-ledger.ts';

/** `npm run cli -- import-consents` writes the consents of another system into chains of the ledger, with their original times. */

export type Import = {
  readonly tables: {
    readonly Accounts: Handle<typeof Accounts, 'get' | 'check'>;
    readonly Agreements: Agreements<'get' | 'query'>;
    readonly ConsentStates: ConsentStates<'query'>;
    readonly Users: Users<'get'>;
  };
  readonly ledger: Ledger;
  /** Also accepts users that are unknown here. */
  readonly unknownUsers: boolean;
  /** Real time. */
  readonly now: Date;
  /** Called for a line that does not fit, with its number in the file (from 1) and the reason. */
  readonly refused: (number: number, says: string) => void;
  /** Called for a line whose record is in the ledger, from this run or an earlier one. */
  readonly brought: (record: ConsentState) => Promise<void> | void;
  readonly progress: (lines: number) => void;
};

type Outcome = 'imported' | 'there' | 'unchanged' | 'refused';
export type Counted = Record<Outcome | 'lines', number>;

/** Lines that are processed together; lines of one chain are processed one after the other. */
const together = 256;
const chainsAtOnce = 16;

class Misfit extends Error {
  override readonly name = 'Misfit';
}

type KnownVersion = { agreement: Agreement; version: Version };
type Work = Import & { readonly catalogue: Map<string, Promise<KnownVersion | null>> };

/**
 * Reads the lines in their order, with only a few hundred in memory at a time.
 *
 * @returns the number of lines by outcome; `there`: imported before; `unchanged`: the ledger already has this state
 * @throws if the stage cannot be reached; another run finds the lines that were imported
 */
export async function importConsents(lines: AsyncIterable<string>, wanted: Import): Promise<Counted> {
  const work: Work = { ...wanted, catalogue: new Map() };
  const counted: Counted = { lines: 0, imported: 0, there: 0, unchanged: 0, refused: 0 };
  let waiting: Numbered[] = [];
  const take = async () => {
    for (const outcome of await takeAll(work, waiting)) counted[outcome] += 1;
    waiting = [];
    work.progress(counted.lines);
  };
  for await (const text of lines) {
    counted.lines += 1;
    // Some systems put a byte order mark before a file's first line; it is not part of the line.
    const line = text.replace(/^\uFEFF/, '').trim();
    if (line !== '') waiting.push({ number: counted.lines, text: line });
    if (waiting.length === together) await take();
  }
  await take();
  return counted;
}

type Numbered = { number: number; text: string };

async function takeAll(work: Work, texts: readonly Numbered[]): Promise<Outcome[]> {
  const read = texts.map(({ number, text }) => ({ number, line: readLine(text, work.now) }));
  const chains = Map.groupBy(read, ({ number, line }) => {
    return typeof line === 'string' ? String(number) : partitionOf(line);
  });
  const taken = await mapWithConcurrency([...chains.values()], chainsAtOnce, async (chain) => {
    const outcomes: Outcome[] = [];
    for (const { number, line } of chain) outcomes.push(await takeOne(work, number, line));
    return outcomes;
  });
  return taken.flat();
}

async function takeOne(work: Work, number: number, line: ReadLine | string): Promise<Outcome> {
  try {
    if (typeof line === 'string') throw new Misfit(line);
    return await importLine(work, line);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    work.refused(number, error.message);
    return 'refused';
  }
}

async function importLine(work: Work, line: ReadLine): Promise<Outcome> {
  const shown = shownOf(line, await knownVersion(work, line));
  const { userId, agreementId, recordedAt, sourceId } = line;
  const { ends } = await assertOpen(work, userId);
  await assertKnown(work, userId);
  const earlier = await work.ledger.earlier({ userId, agreementId }, recordedAt);
  let outcome: Outcome = 'imported';
  const wanted: Parameters<Ledger['change']>[0] = {
    userId,
    agreementId,
    now: new Date(recordedAt),
    recordId: recordIdOf(line),
    // We had no request for this record; the other system's id leads back to its origin.
    requestId: `import:${sourceId ?? ''}`,
    source: 'imported',
    decide(latest) {
      const verdict = decideImport({ latest, earlier, ends }, line, shown);
      if (verdict.outcome === 'misfit') throw new Misfit(verdict.says);
      outcome = verdict.outcome === 'change' ? 'imported' : verdict.outcome;
      return verdict.outcome === 'there' ? { outcome: 'unchanged', at: recordedAt } : verdict;
    },
  };
  await whileOpen({ table: work.tables.Accounts, userId }, () => work.ledger.change(wanted)).catch((error: unknown) => {
    throw error instanceof Failure && error.error === AccountClosed ? closed(userId) : error;
  });
  if ((outcome as Outcome) !== 'unchanged') await work.brought(await recordOf(work, wanted, shown, line));
  return outcome;
}

/**
 * The manifest signs the record that the ledger has for a line, and somebody may have planted that record. So each
 * field and the hash must equal what this line would have written.
 */
async function recordOf(
  { ledger }: Work,
  { recordId, requestId, source }: Pick<Parameters<Ledger['change']>[0], 'recordId' | 'requestId' | 'source'>,
  shown: Shown,
  { userId, agreementId, recordedAt, action }: ReadLine,
): Promise<ConsentState> {
  const record = await ledger.earlier({ userId, agreementId }, recordedAt);
  if (record?.recordId !== recordId) throw new Misfit('its record is missing where it was written');
  const { userAgreement: _key, ...covered }: ConsentRecord & { userAgreement?: string } = record;
  const { sequence, previousHash, hash } = covered;
  const shownThen = action === 'agreed' ? shown : await revokedOf(ledger, record, shown);
  const line = { userId, agreementId, recordedAt, sequence, recordId, action, ...shownThen, requestId, source };
  if (!isDeepStrictEqual(covered, { ...line, previousHash, hash }) || hashOf(covered) !== hash)
    throw new Misfit('a record with its id exists, and differs');
  return record;
}

/** A revocation names the same text as the consent before it. */
async function revokedOf(ledger: Ledger, record: ConsentRecord, { appVersion }: Shown): Promise<Shown | null> {
  const justBefore = new Date(Date.parse(record.recordedAt) - 1).toISOString();
  const consent = await ledger.earlier(record, justBefore);
  if (!consent) return null;
  const { versionId, contentHash, locale, localeSource } = consent;
  return { versionId, contentHash, locale, localeSource, appVersion };
}

async function knownVersion(work: Work, { agreementId, versionId, action }: ReadLine): Promise<Version> {
  const reading = work.catalogue.get(versionId) ?? readVersion(work, versionId);
  work.catalogue.set(versionId, reading);
  const known = await reading;
  if (!known) throw new Misfit(`versionId: the catalogue has no published version ${versionId}`);
  if (known.version.agreementId !== agreementId) {
    throw new Misfit(`versionId: ${versionId} is a version of ${known.version.agreementId}, not of ${agreementId}`);
  }
  if (action === 'revoked' && known.agreement.isRequired) {
    throw new Misfit(`${agreementId} is required: its consent cannot be revoked`);
  }
  return known.version;
}

/** A draft's text may still change, so nobody can have consented to it. */
async function readVersion({ tables }: Work, versionId: string): Promise<KnownVersion | null> {
  const name = await readVersionName(tables.Agreements, versionId);
  const found = name && (await readAgreement(tables.Agreements, name.owner, name.agreementId));
  const version = found?.versions.find((one) => one.versionId === versionId && one.publishedAt !== null);
  return found && version ? { agreement: found.agreement, version } : null;
}

function shownOf({ locale: wanted, appVersion }: ReadLine, { versionId, locales, defaultLocale }: Version): Shown {
  const locale = Object.keys(locales).find((tag) => tag.toLowerCase() === (wanted ?? defaultLocale).toLowerCase());
  const content = locale === undefined ? undefined : locales[locale];
  if (locale === undefined || !content) throw new Misfit(`locale: ${versionId} has no text in ${wanted}`);
  const localeSource = wanted === null ? 'negotiated' : 'stated';
  return { versionId, contentHash: content.contentHash, locale, localeSource, appVersion };
}

/** Nothing is imported for a user who requested the deletion of the account or is erased. */
async function assertOpen({ tables }: Work, userId: string): Promise<Account> {
  const account = await readAccount({ table: tables.Accounts, userId });
  if (account.isClosed) throw closed(userId);
  return account;
}

function closed(userId: string): Misfit {
  return new Misfit(`userId: the account of ${userId} was deleted, or is about to be`);
}

/** Evidence cannot be removed, so a mistyped id must not create any. A user with a consent here is known even without a profile. */
async function assertKnown({ tables, unknownUsers }: Work, userId: string): Promise<void> {
  if (unknownUsers) return;
  if (await get<{ userId: string }>(tables.Users, { userId }, { ProjectionExpression: 'userId' })) return;
  const { Count } = await query(tables.ConsentStates, { ...inPartition({ userId }), Limit: 1 });
  if (!Count) throw new Misfit(`userId: there is no user ${userId} here; --unknown-users accepts such lines, too`);
}
