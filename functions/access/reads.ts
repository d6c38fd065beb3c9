import { Accounts, accountIn, accountPart } from '../../lib/contract/accounts.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import { endOfRecords, isRecordTime, isToCome, skewMs } from '../../lib/contract/instant.ts';
import type { Table } from '../../lib/contract/tables.ts';
import { readAccount } from '../../lib/runtime/accounts.ts';
import { batchGet } from '../../lib/runtime/batch-get.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import { getTogether } from '../../lib/runtime/get-together.ts';
import { inPartition } from '../../lib/runtime/key-range.ts';
import { hashOfUser, type Line } from '../../lib/runtime/log.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { queryAll } from '../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../lib/runtime/retry-on-contention.ts';
import { get, query } from '../../lib/runtime/rows.ts';
import type { Handle } from '../../lib/runtime/table-handle.ts';
import {
  ConsentRecords,
  type ConsentState,
  ConsentStates,
  consentsInDoubt,
  isConsenting,
  isRecord,
  isShownBy,
  laterTime,
} from './consent-states.ts';
import { CareRelations, Staff, siteOfPart, staffProfile } from './data-subject.ts';

/** The reads for the check of a route about another person. All are strongly consistent, and as many as possible run at once. */

export type Reads = {
  readonly handleOf: <T extends Table>(table: T) => Handle<T, 'get' | 'batchGet' | 'query'>;
  /** Reports a consent of which pointer and newest record are not the same, or an account in doubt, for the alarm. */
  readonly inDoubt: (owner: Owner) => void;
};

type Owner = { readonly userId: string; readonly agreementId: string };

/** A valid consent, as its latest record says. */
export type Consent = { readonly recordId: string; readonly recordedAt: string; readonly versionId: string };

/** The person who looks. */
export type Worker = { readonly name: string | null; readonly sites: readonly string[] };

/** The person whose data is looked at. */
export type Person = {
  readonly isOpen: boolean;
  /** The sites, each with the time since which the patient is with it. */
  readonly sites: readonly { readonly siteId: string; readonly since: string }[];
  readonly consent: Consent | null;
  /** Pointer and newest record are not the same, or the account is in doubt: nobody can say whether the patient consents, and `consent` is null. */
  readonly isInDoubt: boolean;
};

/** A pointer, and the newest record of its chain. */
const doubtful: unique symbol = Symbol('doubtful');

type Pair = { readonly pointer: ConsentState | null; readonly newest: ConsentState | null };
type Read = { readonly pointer: ConsentState | null; readonly newest: ConsentState | null | typeof doubtful };

type Log = (line: Line, metrics: Readonly<Record<string, number>>) => void;

/** @param log also says the application */
export function reportedBy(log: Log): Reads['inDoubt'] {
  return ({ userId, agreementId }) =>
    log(
      { level: 'ERROR', message: 'consent in doubt', agreementId, user: hashOfUser(userId) },
      { [consentsInDoubt]: 1 },
    );
}

export async function readStaff({ handleOf }: Reads, userId: string): Promise<Worker> {
  const rows = await queryAll<{ part: string; name?: string }>(handleOf(Staff), inPartition({ userId }));
  return {
    name: rows.find(({ part }) => part === staffProfile)?.name ?? null,
    sites: rows.map(({ part }) => siteOfPart(part)).filter((siteId) => siteId !== null),
  };
}

/** Twice as many as a person can join (crm-sites/rules/site.ts): two redemptions at once may go beyond that. */
const mostSites = 40;

/**
 * Who has more sites than can be has none: rows without end would stop those who look at other people, too.
 *
 * @param agreementId null where no consent is needed
 */
export async function readPerson(reads: Reads, userId: string, agreementId: string | null): Promise<Person> {
  const { handleOf } = reads;
  const owner = agreementId === null ? null : { userId, agreementId };
  const [account, relations, pointer, newest] = await Promise.all([
    readAccount({ table: handleOf(Accounts), userId }),
    queryAll(handleOf(CareRelations), { ...inPartition({ userId }), Limit: mostSites + 1 }, mostSites),
    owner && readPointer(reads, owner),
    owner && readNewest(reads, owner),
  ]);
  const sites = relations.length > mostSites ? [] : relations;
  // Of nobody's patient, and of an account that is closed, no consent shows anything.
  const isAsked = owner !== null && !account.isClosed && sites.length > 0;
  const read: Read = { pointer, newest: account.isInDoubt ? doubtful : newest };
  const state = isAsked ? await believed(reads, owner, read) : null;
  const isInDoubt = state === doubtful;
  const consent = !isInDoubt && isConsenting(state, account.ends) ? state : null;
  return { isOpen: !account.isClosed, sites, consent, isInDoubt };
}

/** Of one page's Queries at a time: a client has fifty connections, and others are under way. */
const queriesAtOnce = 40;

/**
 * Reads which of these people consent, and whose accounts are closed. Who is in doubt does not consent: one row that somebody
 * planted must not take the whole list from those who care for its other people.
 *
 * @param people at most 100, each once
 */
export async function readConsents(
  reads: Reads,
  people: readonly string[],
  agreementId: string,
): Promise<{ consents: Map<string, Consent>; closed: Set<string> }> {
  const { handleOf } = reads;
  const [pointers, accounts, records] = await Promise.all([
    batchGet(
      handleOf(ConsentStates),
      people.map((userId) => ({ userId, agreementId })),
    ),
    batchGet(
      handleOf(Accounts),
      people.map((userId) => ({ userId, part: accountPart })),
    ),
    mapWithConcurrency(people, queriesAtOnce, (userId) => readNewest(reads, { userId, agreementId })),
  ]);
  const closings = new Map(accounts.map((account) => [account.userId, account]));
  const pointerOf = new Map(pointers.map((pointer) => [pointer.userId, pointer]));
  const consents = new Map<string, Consent>();
  const pairs = people.map((userId, index) => ({ userId, newest: records[index] ?? null }) as const);
  await mapWithConcurrency(pairs, queriesAtOnce, async ({ userId, newest }) => {
    const { isClosed, ends, isInDoubt } = accountIn(closings.get(userId) ?? {});
    if (isClosed) return;
    const read: Read = { pointer: pointerOf.get(userId) ?? null, newest: isInDoubt ? doubtful : newest };
    const state = await believed(reads, { userId, agreementId }, read);
    if (state !== doubtful && isConsenting(state, ends)) consents.set(userId, state);
  });
  const closed = accounts.flatMap(({ userId, isClosed }) => (isClosed === true ? [userId] : []));
  return { consents, closed: new Set(closed) };
}

/**
 * What the pointer says, if the newest record says it, too: a role that appends can write either, and IAM sees no condition.
 * Around an honest commit the two may differ, since they are two reads. Then both are read at one moment, and once more if
 * the pointer moved in between.
 *
 * In doubt is also where writers are always first: else one person could take the list of all others.
 */
async function believed(reads: Reads, owner: Owner, read: Read): Promise<ConsentState | null | typeof doubtful> {
  const found = read.newest === doubtful ? doubtful : await agreed(reads, owner, { ...read, newest: read.newest });
  if (found === doubtful) reads.inDoubt(owner);
  return found;
}

async function agreed(reads: Reads, owner: Owner, read: Pair): Promise<ConsentState | null | typeof doubtful> {
  if (isShownBy(read.pointer, read.newest)) return read.pointer;
  let last = read;
  // What no pointer shows, and is of a time to come, somebody has planted: before it is what counts.
  // But a revocation closes: it may be an honest one, behind a planted record.
  if (read.newest?.action === 'agreed' && isToCome(read.newest.recordedAt, new Date())) {
    const newest = await readNewest(reads, owner, new Date(Date.now() + skewMs).toISOString());
    if (newest === doubtful) return doubtful;
    if (isShownBy(read.pointer, newest)) return read.pointer;
    last = { ...read, newest };
  }
  const decided = retryOnContention(async () => {
    const at = laterTime(last.pointer, last.newest);
    if (at === null) return doubtful;
    const pair = await readAtOnce(reads, owner, at);
    if (pair === contended) return contended;
    if (isShownBy(pair.pointer, pair.newest)) return pair.pointer;
    const isSame = pair.pointer?.recordedAt === last.pointer?.recordedAt;
    last = pair;
    return isSame ? doubtful : contended;
  });
  return decided.catch((error: unknown) => {
    if (error instanceof Failure && error.error === Unavailable) return doubtful;
    throw error;
  });
}

/** The pointer, and the record of that time, at one moment. */
async function readAtOnce({ handleOf }: Reads, owner: Owner, recordedAt: string) {
  const rows = await getTogether([
    [handleOf(ConsentStates), owner],
    [handleOf(ConsentRecords), { userAgreement: partitionOf(owner), recordedAt }],
  ]);
  return rows ? { pointer: rows[0], newest: rows[1] } : contended;
}

async function readPointer({ handleOf }: Reads, { userId, agreementId }: Owner): Promise<ConsentState | null> {
  return get(handleOf(ConsentStates), { userId, agreementId });
}

/** Rows that only look like records are passed, but not without an end: nobody may remove them, and each look reads them. */
const mostPassed = 100;

/**
 * The chain's newest row of a time that has come, whatever else it has: a record that somebody has made none, such as a revocation, is
 * not passed, and no pointer shows it. In doubt where more rows than that come before it, or a megabyte of them.
 */
async function readNewest(
  { handleOf }: Reads,
  owner: Owner,
  end = endOfRecords,
): Promise<ConsentState | null | typeof doubtful> {
  const newest = (Limit: number) =>
    query(handleOf(ConsentRecords), {
      KeyConditionExpression: 'userAgreement = :chain AND recordedAt < :end',
      ExpressionAttributeValues: { ':chain': partitionOf(owner), ':end': end },
      ScanIndexForward: false,
      Limit,
    });
  const now = new Date();
  // A role that sets expiries can make rows that have only keys (decision 21), also of a time to come.
  const isRead = (row: ConsentState) =>
    isRecordTime(row.recordedAt) && (isRecord(row) || !isToCome(row.recordedAt, now));
  const { Items: [last] = [] } = await newest(1);
  if (!last || isRead(last)) return last ?? null;
  const { Items = [], LastEvaluatedKey } = await newest(mostPassed);
  return Items.find(isRead) ?? (LastEvaluatedKey ? doubtful : null);
}

/** The ledger's partition of a chain: neither id has a `#` in it. */
function partitionOf({ userId, agreementId }: Owner): string {
  return `${userId}#${agreementId}`;
}
