import { isTime } from '../../../lib/contract/instant.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { get } from '../../../lib/runtime/rows.ts';
import { scanEach } from '../../../lib/runtime/scan-each.ts';
import { shownText } from '../../evidence/rules.ts';
import {
  eachAnswered,
  type FlagFinding,
  type Guards,
  guardAnswers,
  guardFlag,
  guardListRow,
  isErasureBegun,
  raisedFor,
  readAcknowledgement,
  unlikeRows,
} from '../../questionnaire-responses/exports.ts';
import { urgentTicketId } from '../../questionnaire-responses/rules.ts';
import type {
  FlagDecisions,
  QuestionnaireFlags,
  QuestionnaireResponses,
} from '../../questionnaire-responses/tables.ts';
import { isOfSomeSite, isUnfit } from '../rules/unfit-row.ts';
import { dated, type RaisedFlag, type UrgentTicket } from '../rules/urgent-ticket.ts';
import { giveItems, isListed, moveItems, openKeys, readUrgentTicket } from '../stores/urgent-rows.ts';
import type { UrgentTickets } from '../tables.ts';
import { openUrgentTicket, settleDecided, type UrgentTicketDependencies } from './open-urgent-ticket.ts';

/**
 * Answers, flags and urgent tickets against one another, whatever the streams have said. What is missing is written again;
 * nothing here closes a ticket that nobody has seen to.
 */

export type Comparing = {
  readonly guards: Guards & {
    readonly tables: {
      readonly QuestionnaireFlags: QuestionnaireFlags<'scan' | 'remove'>;
      readonly FlagDecisions: FlagDecisions<'get'>;
    };
  };
  readonly deps: UrgentTicketDependencies & {
    readonly tables: { readonly UrgentTickets: UrgentTickets<'scan'> };
  };
  readonly now: Date;
  readonly remainingMs: () => number;
  /** Where every completed answer is compared, and flags that ended long ago, too. Null: they are not. */
  readonly answers: QuestionnaireResponses<'scan'> | null;
};

export type Compared = {
  readonly flags: readonly FlagFinding[];
  /** A line each. */
  readonly tickets: readonly string[];
  /** Keys of rows that no list can show. */
  readonly unreadable: readonly string[];
  /** Of rows that could not be compared. */
  readonly errors: readonly unknown[];
  readonly isComplete: boolean;
};

/** What a run keeps for telling what it found. */
const reserveMs = 10_000;
/** So long a flag's ticket may take; then somebody kept it from being opened. */
const ticketWithinMs = 5 * 60_000;
/** What ended before is compared once a day. */
const recentMs = 2 * 86_400_000;
/** Of a ticket with values that no condition of ours meets. */
const unmovable = 'not right, and cannot be put right';

type Row = Readonly<Record<string, unknown>> & { readonly part: string; readonly name: string };

export async function compare(comparing: Comparing): Promise<Compared> {
  const found: Found = { flags: [], tickets: [], unreadable: [], errors: [] };
  const { tables } = comparing.guards;
  const isOver = () => comparing.remainingMs() < reserveMs;
  const began = comparing.guards.now().getTime();
  // Tickets are opened while it runs.
  const present = () => new Date(comparing.now.getTime() + comparing.guards.now().getTime() - began);
  for await (const row of scanEach<Row>(tables.QuestionnaireFlags)) {
    if (isOver()) return { ...found, isComplete: false };
    await goOn(found, () => compareFlagRow(row, comparing, found));
  }
  const listed: Row[] = [];
  for await (const row of scanEach<Row>(comparing.deps.tables.UrgentTickets)) {
    if (isOver()) return { ...found, isComplete: false };
    if (row.part.startsWith('urgent-') && !isUnfit(row)) listed.push(row);
    await goOn(found, () => compareTicketRow(row, { ...comparing, now: present() }, found));
  }
  // Last: a ticket of a wrong time may have been put back onto the row that is right.
  for (const row of listed) {
    if (isOver()) return { ...found, isComplete: false };
    await goOn(found, () => compareListRow(row, comparing, found));
  }
  if (!comparing.answers) return { ...found, isComplete: true };
  for await (const hint of eachAnswered(comparing.answers)) {
    if (isOver()) return { ...found, isComplete: false };
    await goOn(found, async () => {
      const both = await Promise.all([guardAnswers(comparing.guards, hint), unlikeRows(comparing.guards, hint)]);
      found.flags.push(...both.flat());
    });
  }
  return { ...found, isComplete: true };
}

type Found = {
  readonly flags: FlagFinding[];
  readonly tickets: string[];
  readonly unreadable: string[];
  readonly errors: unknown[];
};

/** One row that cannot be compared keeps nobody from comparing the others. */
async function goOn({ errors }: Found, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    // A dependency is down: it is so for all.
    if (isUnavailable(error)) throw error;
    errors.push(error);
  }
}

async function compareFlagRow(row: Row, comparing: Comparing, found: Found): Promise<void> {
  const isList = ['open', 'acknowledged', 'ended'].includes(row.part);
  const isOwn = row.part.startsWith('flag#');
  const isOfUser = row.part.startsWith('open#');
  if (!isList && !isOwn && !isOfUser) return;
  if (!isOfUser && isUnfit(row)) found.unreadable.push(`${row.part} ${row.name}`);
  if (!comparing.answers && !isOfUser && !isRecent(row, comparing.now)) return;
  if (!isOwn) {
    const stale = await guardListRow(comparing.guards, row);
    if (stale) found.flags.push(stale);
    return;
  }
  const flagId = row.part.slice('flag#'.length);
  const finding = await guardFlag(comparing.guards, flagId, { hints: [] });
  if (finding) found.flags.push(finding);
  const ticket = isUnfit(row) ? null : await compareTicketOf(row as unknown as RaisedFlag, comparing);
  if (ticket) found.tickets.push(ticket);
}

function isRecent({ raisedAt, outcome }: Row, now: Date): boolean {
  return outcome !== 'cleared' || !(Date.parse(String(raisedAt)) < now.getTime() - recentMs);
}

/** A flag without its ticket, or whose ticket names another person or other answers. @returns what was wrong */
async function compareTicketOf(flag: RaisedFlag, { deps, guards, now }: Comparing): Promise<string | null> {
  if (Date.parse(flag.raisedAt) > now.getTime() - ticketWithinMs) return null;
  const ids = { flagId: flag.flagId, ticketId: urgentTicketId(flag) };
  const ticket = await readUrgentTicket(deps.tables.UrgentTickets, ids.ticketId);
  const decisions = guards.tables.FlagDecisions;
  const wrong = ticket && (await giveBack({ ...ticket, ticketId: ids.ticketId }, flag, { deps, guards, now }));
  if (ticket?.acknowledgedAt === null && isOfSomeSite(ticket)) await settleDecided(deps, decisions, flag);
  if (ticket) return wrong && lineOf(ids, wrong);
  if (await openUrgentTicket(deps, flag)) {
    await settleDecided(deps, decisions, flag);
    return lineOf(ids, 'the ticket was missing, opened again');
  }
  // Until its erasure begins, a closed account keeps its tickets; somebody who acknowledges the flag has seen to it.
  const isThere = (await readUrgentTicket(deps.tables.UrgentTickets, ids.ticketId)) !== null;
  if (isThere || (await readAcknowledgement(decisions, flag)) || (await isErasureBegun(guards, flag.userId)))
    return null;
  return lineOf(ids, 'the ticket is missing, and not opened: the account is closed');
}

async function compareTicketRow(row: Row, comparing: Comparing, found: Found): Promise<void> {
  const isOwn = row.part.startsWith('urgent#');
  if (row.part.startsWith('user#')) return;
  const { flagId, userId, responseId, ticketId, dueAt, siteId } = row as unknown as UrgentTicket;
  // A row of another ticket in its place would take this one off its lists. What is wrong with the site of a ticket itself is said below.
  const isOfItself = isOwn ? row.part === `urgent#${ticketId}` : isOfSomeSite({ siteId });
  if (isUnfit(row) || !isTime(dueAt) || !isOfItself) return void found.unreadable.push(`${row.part} ${row.name}`);
  if (!isOwn) return;
  const finding = await guardFlag(comparing.guards, flagId, { hints: [{ userId, responseId }] });
  if (finding) found.flags.push(finding);
  const wrong = await putRight(comparing, ticketId);
  if (wrong) found.tickets.push(lineOf({ flagId, ticketId }, wrong));
}

/** Only a row that is still there when its ticket has been read: whoever acknowledges or moves a ticket takes it away with the same write. */
async function compareListRow({ part, name, flagId }: Row, { deps }: Comparing, found: Found): Promise<void> {
  const { UrgentTickets: table } = deps.tables;
  const ticketId = name.slice(name.lastIndexOf('#') + 1);
  const ticket = await readUrgentTicket(table, ticketId);
  const keys = ticket?.acknowledgedAt === null ? openKeys(ticket) : [];
  if (keys.some((key) => key.part === part && key.name === name)) return;
  if (!(await get(table, { part, name }))) return;
  found.tickets.push(lineOf({ flagId: String(flagId), ticketId }, `on the list ${shownText(part)} without being open`));
}

function lineOf({ flagId, ticketId }: { readonly flagId: string; readonly ticketId: string }, what: string): string {
  return `flag ${shownText(flagId)}, urgent ticket ${shownText(ticketId)}: ${what}`;
}

/** A ticket under the id of a flag's that names another person or other answers. @returns what was wrong */
async function giveBack(
  ticket: UrgentTicket,
  flag: RaisedFlag,
  { deps, guards, now }: Pick<Comparing, 'deps' | 'guards' | 'now'>,
): Promise<string | null> {
  const isOf = ({ userId, responseId, flagId }: RaisedFlag) =>
    ticket.userId === userId && ticket.responseId === responseId && ticket.flagId === flagId;
  if (isUnfit(ticket) || !isTime(ticket.dueAt) || isOf(flag)) return null;
  // The flag's row may be the one that is wrong.
  const raised = await raisedFor(guards, flag.flagId, [flag]);
  if (!raised || isOf(raised)) return null;
  if (ticket.acknowledgedAt !== null) return 'of another person or other answers, and acknowledged';
  if (!isOfSomeSite(ticket)) return unmovable;
  const { userId, responseId, flagId } = raised;
  const after = dated({ ...ticket, userId, responseId, flagId }, raised, now);
  const isBack = await commit(giveItems(deps.tables.UrgentTickets, ticket, after));
  // Otherwise another writer was first.
  return isBack ? 'of another person or other answers, put right' : null;
}

/**
 * A ticket that no answers open, or an open one whose times are not those of its answers, or that a list of its own does not have, or
 * has otherwise. @returns what was wrong
 */
async function putRight({ guards, deps, now }: Comparing, ticketId: string): Promise<string | null> {
  const { UrgentTickets: table } = deps.tables;
  const ticket = await readUrgentTicket(table, ticketId);
  if (!ticket) return null;
  if (urgentTicketId(ticket) !== ticketId) return 'planted: this id is of other answers or of another flag';
  if (ticket.acknowledgedAt !== null) return null;
  if (!isOfSomeSite(ticket)) return unmovable;
  // Not the flag's row: who may write it may have written it again.
  const flag = await raisedFor(guards, ticket.flagId, [ticket]);
  // An erasure takes the answers first.
  if (!flag && (await isErasureBegun(guards, ticket.userId))) return null;
  const after = flag ? dated(ticket, flag, now) : ticket;
  const isDated = after === ticket;
  const same = await Promise.all(openKeys(after).map((key) => isListed(table, key, after)));
  const isRight = isDated && !same.includes(false);
  // Another writer was first.
  if (!isRight && !(await commit(moveItems(table, ticket, after)))) return null;
  // It may be an honest one all the same, so it stays where people see it.
  if (!flag) return 'no answers of this person open it: planted, or the answers are gone';
  if (isRight) return null;
  return isDated ? 'not on its lists as it is, put back' : 'not of the times of its answers, put right';
}
