import { hash, randomUUID } from 'node:crypto';
import { isTime, isToCome, skewMs } from '../../../lib/contract/instant.ts';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { seal, unseal } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, update } from '../../../lib/runtime/rows.ts';
import { addressOf } from '../rules/code.ts';
import {
  type AccountActs,
  type AccountRow,
  type FormerAddress,
  formerAddressSeconds,
  type Held,
  type SecureLink,
} from '../rules/secure-link.ts';
import type { MailRecords } from '../tables.ts';
import type { CodeDependencies } from './codes.ts';
import { heldKeys } from './mail-records.ts';

/** The links of "this was not me", and the row of an account that says what they still do. */

const linkUse = 'secure link';
const formerUse = 'former address';

/** The token of a link: about 300 characters, all of which an address can have behind its `#`. */
export function secureToken(secret: KeyRing, link: SecureLink): string {
  return seal(secret, linkUse, JSON.stringify(link), linkUse);
}

/** @param now real time @returns null for a token that is not ours, whose key is gone or whose time is over */
export function openSecureToken(secret: KeyRing, token: string, now: Date): SecureLink | null {
  try {
    const link = JSON.parse(unseal(secret, linkUse, token, linkUse)) as SecureLink;
    return link.validUntil > now.toISOString() ? link : null;
  } catch {
    return null;
  }
}

/** Longer than a procedure may run: 20 s (`lib/stack/settings.ts`). */
const turnMs = 25_000;

const latestTurn = 2 ** 51;

/** Of all former addresses of a week, sealed. */
const longestFormer = 100_000;

export type Turn = {
  readonly known: AccountActs;
  /** Once, or several times. @throws a Failure `UNAVAILABLE` where the turn is over */
  readonly note: (acts: AccountActs) => Promise<void>;
  /** The same, and the turn ends with it. */
  readonly noteLast: (acts: AccountActs) => Promise<void>;
};

/**
 * Changes of an account's address, resets of its password and its securing are made one after the other: two at once could leave the pool
 * and the profile with different addresses, or the account with a thief's password.
 *
 * @throws a Failure `UNAVAILABLE` where another request has its turn for longer than a second; and what `act` throws
 */
export async function inTurn<T>(
  { tables, secret }: CodeDependencies,
  userId: string,
  act: (turn: Turn) => Promise<T>,
): Promise<T> {
  const mine = { table: tables.MailRecords, mailRecord: recordOf(userId), turn: randomUUID() };
  const known = knownIn(secret, await takeTurn(mine));
  let hasEnded = false;
  const noted = async (acts: AccountActs, isLast: boolean) => {
    const values = {
      former: seal(secret, formerUse, JSON.stringify([...acts.former, { leaving: acts.leaving }]), mine.mailRecord),
      ...(acts.securedAt !== null && { securedAt: acts.securedAt }),
      ...(isLast && ended),
    };
    await change(mine, values);
    hasEnded = isLast;
  };
  try {
    return await act({ known, note: (acts) => noted(acts, false), noteLast: (acts) => noted(acts, true) });
  } finally {
    // What was asked for is done or not: where the turn cannot be given back, it ends by itself.
    if (!hasEnded) await change(mine, ended).catch(() => undefined);
  }
}

const ended = { turnUntil: 0 };

type ReadDependencies = Pick<CodeDependencies, 'secret'> & {
  readonly tables: { readonly MailRecords: MailRecords<'get'> };
};

/** What is known of an account, for whoever takes no turn. Strongly consistent. */
export async function readAccountActs({ tables, secret }: ReadDependencies, userId: string): Promise<AccountActs> {
  return knownIn(secret, await get<AccountRow>(tables.MailRecords, { mailRecord: recordOf(userId) }));
}

type HoldDependencies = Pick<CodeDependencies, 'secret'> & {
  readonly tables: { readonly MailRecords: MailRecords<'update'> };
};

/** As long as the account can have the address back, no other one gets it (`isHeldByAnother`). Before the account has another address. @throws a Failure `UNAVAILABLE` */
export async function holdAddress(
  { tables, secret }: HoldDependencies,
  { application, email, userId }: { readonly application: string; readonly email: string; readonly userId: string },
): Promise<void> {
  const [mailRecord] = heldKeys(secret, addressOf(application, email));
  const expiresAt = Math.ceil(Date.now() / 1000) + formerAddressSeconds;
  const held = update(
    tables.MailRecords,
    { mailRecord },
    {
      // What others may write here could fill the row.
      UpdateExpression:
        'SET holder = :holder, expiresAt = :expiresAt REMOVE mailId, triesLeft, enrolled, turn, turnUntil, securedAt, former',
      ExpressionAttributeValues: { ':holder': recordOf(userId), ':expiresAt': expiresAt },
    },
  );
  await retryOnContention(async () => (await commit([held])) || contended);
}

type Asked = { readonly address: string; readonly userId: string; readonly now: Date };

/** @param address of `addressOf` @param userId who asks for it; absent: nobody yet. Strongly consistent. */
export async function isHeldByAnother(
  deps: ReadDependencies,
  { userId, ...of }: Omit<Asked, 'userId'> & { readonly userId: string | undefined },
): Promise<boolean> {
  const own = userId === undefined ? null : recordOf(userId);
  return (await holdersOf(deps, of)).some((holder) => holder !== own);
}

export async function isHeldBy(deps: ReadDependencies, { userId, ...of }: Asked): Promise<boolean> {
  return (await holdersOf(deps, of)).includes(recordOf(userId));
}

async function holdersOf({ tables, secret }: ReadDependencies, { address, now }: Omit<Asked, 'userId'>) {
  const records = heldKeys(secret, address);
  const rows = await Promise.all(records.map((record) => get<Held>(tables.MailRecords, { mailRecord: record })));
  // DynamoDB deletes a row up to some days after its end. None is held for longer than a former address is.
  const [from, until] = [now.getTime(), now.getTime() + formerAddressSeconds * 1000 + skewMs];
  return rows.flatMap((row) => {
    const end = (row?.expiresAt ?? 0) * 1000;
    return row && from < end && end <= until ? [row.holder] : [];
  });
}

/** No id of a user stands in a key of this table. */
function recordOf(userId: string): string {
  return `account#${hash('sha256', userId, 'hex')}`;
}

function knownIn(secret: KeyRing, row: AccountRow | null): AccountActs {
  const sealed = row?.former === undefined ? [] : openFormer(secret, row.former, row.mailRecord);
  const former = sealed.filter((each): each is FormerAddress => 'email' in each);
  const leaving = sealed.find((each): each is Leaving => 'leaving' in each)?.leaving ?? null;
  const { securedAt = null } = row ?? {};
  return { securedAt: isTime(securedAt) && !isToCome(securedAt, new Date()) ? securedAt : null, former, leaving };
}

type Leaving = { readonly leaving: string | null };

/** Whose key is gone is older than what can be undone. */
function openFormer(secret: KeyRing, sealed: string, mailRecord: string): readonly (FormerAddress | Leaving)[] {
  try {
    return JSON.parse(unseal(secret, formerUse, sealed, mailRecord)) as (FormerAddress | Leaving)[];
  } catch {
    return [];
  }
}

type Mine = {
  readonly table: MailRecords<'update'>;
  readonly mailRecord: string;
  readonly turn: string;
};

async function takeTurn({
  table,
  mailRecord,
  turn,
}: Mine & { readonly table: MailRecords<'get'> }): Promise<AccountRow | null> {
  return retryOnContention(async () => {
    const row = await get<AccountRow>(table, { mailRecord });
    const now = Date.now();
    // One that ends later than any turn is of no honest function.
    if (row && row.turnUntil > now && row.turnUntil <= now + turnMs + skewMs) return contended;
    // Of a number with more digits than a Number has, the client gives the text.
    const ended = Math.round(Number(row?.turnUntil));
    const before = typeof row?.turn === 'string' && ended >= 0 && ended <= latestTurn ? row : null;
    // What others may write here could fill the row.
    const strange = [
      ...['mailId', 'triesLeft', 'enrolled', 'holder'],
      // Of what was read: what is not there need not be removed.
      ...(row?.former === undefined || (typeof row.former === 'string' && row.former.length <= longestFormer)
        ? []
        : ['former']),
      ...(row?.securedAt === undefined || isTime(row.securedAt) ? [] : ['securedAt']),
    ];
    const taking = update(
      table,
      { mailRecord },
      {
        UpdateExpression: `SET turn = :turn, turnUntil = :until, expiresAt = :expiresAt REMOVE ${strange.join(', ')}`,
        // A row without the name and the end of a turn is of no honest function.
        ConditionExpression: before
          ? 'turn = :before AND (turnUntil BETWEEN :least AND :last OR NOT attribute_type(turnUntil, :number))'
          : 'NOT attribute_type(turn, :text) OR NOT (turnUntil BETWEEN :least AND :last)',
        ExpressionAttributeValues: {
          ':turn': turn,
          ':until': now + turnMs,
          // Links that restore an address live longest.
          ':expiresAt': Math.ceil(now / 1000) + formerAddressSeconds,
          ...(before
            ? { ':before': before.turn, ':number': 'N', ':least': ended - 0.5, ':last': ended + 0.5 }
            : { ':text': 'S', ':least': -0.5, ':last': latestTurn + 0.5 }),
        },
      },
    );
    return (await commit([taking])) ? row : contended;
  });
}

/** @throws a Failure `UNAVAILABLE` where the turn is over */
async function change({ table, mailRecord, turn }: Mine, values: Partial<AccountRow>): Promise<void> {
  const names = Object.keys(values);
  const changing = update(
    table,
    { mailRecord },
    {
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
      ConditionExpression: 'turn = :turn',
      ExpressionAttributeValues: {
        ':turn': turn,
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
      },
    },
  );
  // It also fails where somebody asks for the turn at the same moment.
  await retryOnContention(async () => (await commit([changing])) || contended, { retries: 3 });
}
