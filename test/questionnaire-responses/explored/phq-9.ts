import assert from 'node:assert/strict';
import type { Answer } from '../../../functions/questionnaires/rules/definition.ts';
import { seedQuestionnaires } from '../../../functions/questionnaires/seed/seed.ts';
import type { Client, End, Person, Row, SetUp } from '../../../lib/explore/scenario.ts';
import { phq9 } from '../../questionnaires/instruments.ts';

/** PHQ-9 in scenarios: item 9 above 0 raises a flag, which a person must look at. */

export const safety: Person = { userId: 'safety-1', application: 'medinfo', roles: ['clinical-safety'] };
export const otherSafety: Person = { userId: 'safety-2', application: 'medinfo', roles: ['clinical-safety'] };

export async function questionnaires({ tables }: SetUp): Promise<void> {
  await seedQuestionnaires({ tables });
}

/** A draft with this answer to item 9. */
export function draft(item9: number, recordedAt: string | null, more: Record<string, unknown> = {}) {
  const stated = recordedAt === null ? {} : { recordedAt };
  return { questionnaireId: 'phq-9', version: '1.1', answers: phq9(item9), ...stated, ...more };
}

/** By item 9 the scenarios tell drafts apart. */
export function item9Of({ answers = [] }: { readonly answers?: readonly Answer[] | undefined }): number {
  const choice = answers.find(({ linkId }) => linkId === 'phq9-9')?.choice;
  return choice === undefined ? -1 : Number(choice);
}

export function responseRow({ rows }: End, responseId: string): Row | undefined {
  return rows('QuestionnaireResponses').find(({ part }) => part === `response#${responseId}`);
}

export function flagRows({ rows }: End): Row[] {
  return rows('QuestionnaireFlags').filter(({ part }) => String(part).startsWith('flag#'));
}

export function urgentRows({ rows }: End): Row[] {
  return rows('UrgentTickets').filter(({ part }) => String(part).startsWith('urgent#'));
}

/** The names of the rows of a part. */
function namesIn({ rows }: End, table: string, part: string): string[] {
  return rows(table)
    .filter((row) => row.part === part)
    .map(({ name }) => String(name))
    .sort();
}

/** Each event of a type is of another thing, and of each there is at least one: a stream gives at least once. */
export function toldOf({ outside }: End, type: string, field: string): string[] {
  const told = outside.events.filter((event) => event.type === type).map(({ detail }) => String(detail[field]));
  return [...new Set(told)].sort();
}

/** The same event twice says the same. */
function eventsAgree({ outside }: End): void {
  const known = new Map<string, string>();
  for (const { type, detail } of outside.events) {
    const { ticketId, flagId, responseId, acknowledgedAt, state, updatedAt } = detail;
    const name = JSON.stringify([type, ticketId, flagId, responseId, acknowledgedAt, state, updatedAt]);
    const said = JSON.stringify(detail);
    assert.equal(known.get(name) ?? said, said);
    known.set(name, said);
  }
}

/** Each list of flags has what the flags' own rows say, and nothing else. */
export function flagListsFit(end: End): void {
  const flags = flagRows(end);
  const listed = (part: string) => namesIn(end, 'QuestionnaireFlags', part);
  const sorted = (names: readonly string[]) => [...names].sort();
  const open = flags.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  const ended = flags.filter(({ endedAt }) => endedAt !== null);
  const seen = flags.filter(({ acknowledgedAt, endedAt }) => acknowledgedAt !== null && endedAt === null);
  assert.deepEqual(listed('open'), sorted(open.map(({ raisedAt, flagId }) => `${raisedAt}#${flagId}`)));
  assert.deepEqual(
    listed('acknowledged'),
    sorted(seen.map(({ acknowledgedAt, flagId }) => `${acknowledgedAt}#${flagId}`)),
  );
  assert.deepEqual(listed('ended'), sorted(ended.map(({ endedAt, flagId }) => `${endedAt}#${flagId}`)));
  for (const [userId, own] of Map.groupBy(flags, (flag) => String(flag.userId))) {
    assert.deepEqual(listed(`user#${userId}`), sorted(own.map(({ flagId }) => String(flagId))));
    const uncleared = own.filter(({ outcome }) => outcome !== 'cleared');
    const names = uncleared.map(({ flagId, acknowledgedAt, outcome }) => {
      if (acknowledgedAt === null) return String(flagId);
      return `${outcome === 'not-reached' ? 'not-reached' : 'seen'}#${flagId}`;
    });
    assert.deepEqual(listed(`open#${userId}`), sorted(names));
  }
  const content = (row: Row) => JSON.stringify({ ...row, part: '', name: '' }, Object.keys(row).sort());
  for (const list of ['open', 'acknowledged', 'ended'])
    for (const row of end.rows('QuestionnaireFlags').filter(({ part }) => part === list))
      assert.equal(content(row), content(flags.find(({ flagId }) => flagId === row.flagId) as Row));
}

/** Each flag has one ticket, each ticket is of a flag, and who acknowledged the flag has acknowledged its ticket. */
export function eachFlagHasItsTicket(end: End): void {
  const flags = flagRows(end);
  const tickets = urgentRows(end);
  assert.deepEqual(
    tickets.map(({ flagId }) => String(flagId)).sort(),
    flags.map(({ flagId }) => String(flagId)).sort(),
  );
  for (const { flagId, userId, responseId, raisedAt, recordedAt, receivedAt, acknowledgedAt } of flags) {
    const ticket = tickets.find((each) => each.flagId === flagId) as Row;
    const { acknowledgedAt: seenAt } = ticket;
    assert.deepEqual(
      { userId, responseId, raisedAt, recordedAt, receivedAt },
      {
        userId: ticket.userId,
        responseId: ticket.responseId,
        raisedAt: ticket.raisedAt,
        recordedAt: ticket.recordedAt,
        receivedAt: ticket.receivedAt,
      },
    );
    if (acknowledgedAt !== null) assert.notEqual(seenAt, null, `the ticket of ${flagId} is still open`);
  }
}

/** An open ticket is on the lists that its row says, an acknowledged one on none. */
export function urgentListsFit(end: End): void {
  const tickets = urgentRows(end);
  const open = tickets.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  const safetyNames = open.map(
    ({ siteId, raisedAt, dueAt, ticketId }) => `${siteId === null ? raisedAt : dueAt}#${ticketId}`,
  );
  assert.deepEqual(namesIn(end, 'UrgentTickets', 'urgent-safety'), safetyNames.sort());
  const listed = end.rows('UrgentTickets').filter(({ part }) => String(part).startsWith('urgent-site#'));
  const ofSites = open.filter(({ siteId }) => siteId !== null);
  assert.deepEqual(
    listed.map(({ part, name }) => `${part} ${name}`).sort(),
    ofSites.map(({ siteId, raisedAt, ticketId }) => `urgent-site#${siteId} ${raisedAt}#${ticketId}`).sort(),
  );
  const owned = end.rows('UrgentTickets').filter(({ name }) => /^urgent#/.test(String(name)));
  assert.deepEqual(owned.map(({ ticketId }) => ticketId).sort(), tickets.map(({ ticketId }) => ticketId).sort());
}

/** Each flag and each open ticket was told, and each acknowledgement of a ticket that was told as opened. */
export function flagsAndTicketsAreTold(end: End): void {
  const flags = flagRows(end);
  const tickets = urgentRows(end);
  const ids = (rows: readonly Row[], field: string) => rows.map((row) => String(row[field])).sort();
  const seen = ({ acknowledgedAt }: Row) => acknowledgedAt !== null;
  assert.deepEqual(toldOf(end, 'QuestionnaireFlagRaised', 'flagId'), ids(flags, 'flagId'));
  assert.deepEqual(toldOf(end, 'QuestionnaireFlagAcknowledged', 'flagId'), ids(flags.filter(seen), 'flagId'));
  const opened = toldOf(end, 'UrgentTicketOpened', 'ticketId');
  for (const ticket of tickets.filter((each) => !seen(each))) assert.ok(opened.includes(String(ticket.ticketId)));
  assert.deepEqual(toldOf(end, 'UrgentTicketAcknowledged', 'ticketId'), ids(tickets.filter(seen), 'ticketId'));
  eventsAgree(end);
}

type Insisting = Pick<Client, 'insist'>;

export async function writes(client: Insisting, responseId: string, body: unknown) {
  return client.insist('putQuestionnaireResponse', { params: { responseId }, body });
}

export async function completes(client: Insisting, responseId: string, body?: unknown) {
  return client.insist('completeQuestionnaireResponse', {
    params: { responseId },
    ...(body !== undefined && { body }),
  });
}
