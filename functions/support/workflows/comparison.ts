import { isTime } from '../../../lib/contract/instant.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { scanEach } from '../../../lib/runtime/scan-each.ts';
import {
  eachAnswered,
  type FlagFinding,
  type Guards,
  guardAnswers,
  guardFlag,
  raisedFor,
  unlikeRows,
} from '../../questionnaire-responses/exports.ts';
import { urgentTicketId } from '../../questionnaire-responses/rules.ts';
import type {
  FlagDecisions,
  QuestionnaireFlags,
  QuestionnaireResponses,
} from '../../questionnaire-responses/tables.ts';
import { isUnfit } from '../rules/unfit-row.ts';
import { dated, type RaisedFlag, type UrgentTicket } from '../rules/urgent-ticket.ts';
import { isListed, moveItems, openKeys, readUrgentTicket } from '../stores/urgent-rows.ts';
import type { UrgentTickets } from '../tables.ts';
import { openUrgentTicket, settleDecided, type UrgentTicketDependencies } from './open-urgent-ticket.ts';

/**
 * Answers, flags and urgent tickets against one another, whatever the streams have said. What is missing is written again;
 * nothing here closes a ticket that nobody has seen to.
 */

export type Comparing = {
  readonly guards: Guards & {
    readonly tables: {
      readonly QuestionnaireFlags: QuestionnaireFlags<'scan'>;
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
  for await (const row of scanEach<Row>(comparing.deps.tables.UrgentTickets)) {
    if (isOver()) return { ...found, isComplete: false };
    await goOn(found, () => compareTicketRow(row, { ...comparing, now: present() }, found));
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
  if (!isList && !isOwn) return;
  if (isUnfit(row)) found.unreadable.push(`${row.part} ${row.name}`);
  if (!isOwn || (!comparing.answers && !isRecent(row, comparing.now))) return;
  const flagId = row.part.slice('flag#'.length);
  const finding = await guardFlag(comparing.guards, flagId, { hints: [] });
  if (finding) found.flags.push(finding);
  const ticket = isUnfit(row) ? null : await compareTicketOf(row as unknown as RaisedFlag, comparing);
  if (ticket) found.tickets.push(ticket);
}

function isRecent({ raisedAt, outcome }: Row, now: Date): boolean {
  return outcome !== 'cleared' || !(Date.parse(String(raisedAt)) < now.getTime() - recentMs);
}

/** A flag without its ticket, or whose ticket is on no list. @returns what was wrong */
async function compareTicketOf(flag: RaisedFlag, { deps, guards, now }: Comparing): Promise<string | null> {
  if (Date.parse(flag.raisedAt) > now.getTime() - ticketWithinMs) return null;
  const ticketId = urgentTicketId(flag);
  const ticket = await readUrgentTicket(deps.tables.UrgentTickets, ticketId);
  const decisions = guards.tables.FlagDecisions;
  if (ticket?.acknowledgedAt === null) await settleDecided(deps, decisions, flag);
  if (ticket) return null;
  if (!(await openUrgentTicket(deps, flag))) return null;
  await settleDecided(deps, decisions, flag);
  return `flag ${flag.flagId}, urgent ticket ${ticketId}: the ticket was missing, opened again`;
}

async function compareTicketRow(row: Row, comparing: Comparing, found: Found): Promise<void> {
  const isOwn = row.part.startsWith('urgent#');
  if (row.part.startsWith('user#')) return;
  const { flagId, userId, responseId, ticketId, dueAt } = row as unknown as UrgentTicket;
  // A row of another ticket in its place would take this one off its lists.
  const isOfItself = !isOwn || row.part === `urgent#${ticketId}`;
  if (isUnfit(row) || !isTime(dueAt) || !isOfItself) return void found.unreadable.push(`${row.part} ${row.name}`);
  if (!isOwn) return;
  const finding = await guardFlag(comparing.guards, flagId, { hints: [{ userId, responseId }] });
  if (finding) found.flags.push(finding);
  const wrong = await putRight(comparing, ticketId);
  if (wrong) found.tickets.push(`flag ${flagId}, urgent ticket ${ticketId}: ${wrong}`);
}

/** An open ticket whose times are not those of its answers, or that a list of its own does not have, or has otherwise. @returns what was wrong */
async function putRight({ guards, deps, now }: Comparing, ticketId: string): Promise<string | null> {
  const { UrgentTickets: table } = deps.tables;
  const ticket = await readUrgentTicket(table, ticketId);
  if (!ticket || ticket.acknowledgedAt !== null) return null;
  // Not the flag's row: who may write it may have written it again.
  const flag = await raisedFor(guards, ticket.flagId, [ticket]);
  const after = flag ? dated(ticket, flag, now) : ticket;
  const isDated = after === ticket;
  const same = await Promise.all(openKeys(after).map((key) => isListed(table, key, after)));
  if (isDated && !same.includes(false)) return null;
  if (!(await commit(moveItems(table, ticket, after)))) return null;
  return isDated ? 'not on its lists as it is, put back' : 'not of the times of its answers, put right';
}
