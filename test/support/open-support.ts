import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { urgentTicketId } from '../../functions/questionnaire-responses/rules/flag.ts';
import { ticketMoved } from '../../functions/support/audit-actions.ts';
import { TicketTransitionRefused } from '../../functions/support/errors.ts';
import { transitioned } from '../../functions/support/rules/change.ts';
import { hoursIn } from '../../functions/support/rules/default-hours.ts';
import type { State } from '../../functions/support/rules/ticket.ts';
import type { RaisedFlag } from '../../functions/support/rules/urgent-ticket.ts';
import { eraseTickets, eraseUrgentTickets } from '../../functions/support/stores/erase-tickets.ts';
import { readAllTickets } from '../../functions/support/stores/exported-tickets.ts';
import { readTicket } from '../../functions/support/stores/ticket-rows.ts';
import { acknowledge } from '../../functions/support/workflows/acknowledge-by-staff.ts';
import { closeLapsed } from '../../functions/support/workflows/close-lapsed.ts';
import { escalateUnattendedTickets } from '../../functions/support/workflows/escalate-unattended-tickets.ts';
import { openTicketOnce } from '../../functions/support/workflows/open-once.ts';
import {
  dependenciesOf,
  openUrgentTicket,
  settleUrgentTicket,
} from '../../functions/support/workflows/open-urgent-ticket.ts';
import { changeByStaff } from '../../functions/support/workflows/staff-change.ts';
import { commentByPatient, commentByStaff } from '../../functions/support/workflows/write-comment.ts';
import type { ExportPosition } from '../../lib/runtime/exporter.ts';
import { putRow, removeRow } from '../../lib/runtime/rows.ts';
import { putConsent } from '../consented.ts';
import { overtaken } from '../crm-sites/open-sites.ts';
import { localTables } from '../local-tables.ts';

/** Tickets on the local DynamoDB, driven without HTTP: order and clock are the test's. */

const atOnce = { pause: () => setImmediate() };

export async function openSupport() {
  const { client, tables } = await localTables([
    'SupportTickets',
    'UrgentTickets',
    'Sites',
    'SiteStaff',
    'StaffAccounts',
    'CareRelations',
    'ConsentStates',
    'ConsentRecords',
    'Accounts',
    'Users',
    'AgentBoardMessages',
    'AuditEvents',
    'IdempotencyKeys',
  ]);
  /** Done before the next transaction is sent; or once it took effect, when it is answered as if another writer had been first. */
  const plan: Partial<Record<'first' | 'lost', (() => Promise<unknown>) | undefined>> = {};
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const act = context.commandName === 'TransactWriteItemsCommand' ? plan.first : undefined;
      if (act) plan.first = undefined;
      await act?.();
      const lost = context.commandName === 'TransactWriteItemsCommand' ? plan.lost : undefined;
      if (!lost) return next(args);
      plan.lost = undefined;
      await next(args);
      await lost();
      throw overtaken();
    },
    { step: 'initialize' },
  );
  const deps = dependenciesOf(tables, () => undefined, null);
  const unused = { s3: new S3Client({}), sns: new SNSClient({}), buckets: {} };
  const put = (table: keyof typeof tables, row: object) => putRow(tables[table], row);
  const occasion = (actor: string) => ({
    ...{ application: 'medinfo', actor },
    ...{ requestId: randomUUID(), realNow: new Date() },
  });
  const etagOf = async (ticketId: string) => {
    const ticket = await readTicket(tables.SupportTickets, ticketId);
    return `"${ticket?.revision}"`;
  };

  return {
    tables,
    plan,
    put,
    consent: (userId: string, action: 'agreed' | 'revoked') =>
      putConsent(put, { userId, action, recordId: randomUUID() }),
    /** A site as its row is, with those who work there. */
    site: async (siteId: string, status: 'open' | 'closed', ...staff: string[]) => {
      await put('Sites', { kind: 'site', siteKey: siteId, siteId, name: 'Site', timezone: 'Europe/Berlin', status });
      for (const userId of staff) await put('SiteStaff', { siteId, userId, since: '2026-01-01T00:00:00.000Z' });
    },
    /** What somebody of the staff may do, as the row is. */
    account: (userId: string, status: 'invited' | 'active' | 'disabled', ...roles: string[]) =>
      put('StaffAccounts', { kind: 'staff', userId, roles, status, endedAt: null }),
    relate: (userId: string, siteId: string) =>
      put('CareRelations', { userId, siteId, since: '2026-01-01T00:00:00.000Z' }),
    remove: (table: keyof typeof tables, key: Record<string, string>) => removeRow(tables[table], key),
    open: (userId: string, now: string, subject = 'Subject') =>
      openTicketOnce(tables, {
        ...{ userId, subject, body: 'Text' },
        ...{ now: new Date(now), requestId: randomUUID(), once: null },
      }),
    /** The ticket as its row is. */
    ticket: (ticketId: string) => readTicket(tables.SupportTickets, ticketId),
    patientWrites: (userId: string, ticketId: string, now: string) =>
      commentByPatient({
        ...{ tables, ticketId, userId, body: 'More' },
        ...{ now: new Date(now), requestId: randomUUID(), once: null },
      }),
    staffWrites: async (
      ticketId: string,
      now: string,
      {
        actor = 'agent',
        role = 'agent',
        visibility = 'patient' as 'patient' | 'internal',
        body = 'Answer',
        ifMatch = '',
      },
    ) =>
      commentByStaff({
        ...{ tables, ticketId, role, visibility, body, once: null, now: new Date(now) },
        userId: (await readTicket(tables.SupportTickets, ticketId))?.userId ?? '',
        ifMatch: ifMatch || (await etagOf(ticketId)),
        occasion: occasion(actor),
      }),
    move: async (ticketId: string, to: State, now: string) => {
      const by = occasion('agent');
      const stamp = { now: new Date(now), changeId: by.requestId, hours: hoursIn() };
      return changeByStaff({
        ...{ tables, ticketId, ifMatch: await etagOf(ticketId), occasion: by },
        action: ticketMoved,
        next: (before) => transitioned(before, to, stamp),
        refusal: TicketTransitionRefused,
      });
    },
    closeLapsed: (now: string) => closeLapsed(tables.SupportTickets, new Date(now)),
    /** As the stream has that a flag was raised. */
    raise: (flag: RaisedFlag) => openUrgentTicket(deps, flag, atOnce),
    /** As the stream has that somebody acknowledged the flag. */
    settle: (flag: RaisedFlag, by: string) => settleUrgentTicket(deps, { flag, at: flag.raisedAt, by }, atOnce),
    acknowledge: (flag: RaisedFlag, by: string) =>
      acknowledge(tables.UrgentTickets, { ticketId: urgentTicketId(flag), at: new Date(), by }, atOnce),
    /** As the run of every five minutes does. */
    handOver: (now: string, remainingMs = () => 60_000) =>
      escalateUnattendedTickets(deps, { now: new Date(now), remainingMs }, atOnce),
    erase: async (userId: string) => {
      const [reached, person] = [
        { ...unused, tables },
        { userId, erasedAt: '2026-01-01T00:00:00.000Z' },
      ];
      await eraseTickets(reached, person);
      await eraseUrgentTickets(reached, person);
    },
    /** All that a person's export has of tickets. */
    async exported(userId: string) {
      const from = { tables, environment: 'dev' } as const;
      const person = { userId, application: 'sleepcare', locale: 'en', timeZone: 'UTC' } as const;
      const rows: unknown[] = [];
      let position: ExportPosition | null = null;
      do {
        const page: Awaited<ReturnType<typeof readAllTickets>> = await readAllTickets(from, person, position);
        rows.push(...page.rows);
        position = page.next;
      } while (position !== null);
      return rows;
    },
    async rows(table: keyof typeof tables = 'SupportTickets', text = '') {
      const { Items = [] } = await client.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
      return Items.filter((row) => JSON.stringify(row).includes(text));
    },
  };
}
