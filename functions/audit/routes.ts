import * as z from 'zod/mini';
import { Timestamp } from '../../lib/contract/fields.ts';
import { instants, instantsInOrder } from '../../lib/contract/ranges.ts';
import { route } from '../../lib/contract/route.ts';
import { read } from '../../lib/contract/uses.ts';
import { readAudit } from './permissions.ts';
import { AuditEvents } from './tables.ts';

const Said = z.nullable(z.record(z.string(), z.unknown()));

export const AuditEvent = z.object({
  eventId: z.string(),
  at: Timestamp,
  /** The administrator's `userId`; the name of a command that an operator ran. */
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  requestId: z.string(),
  before: Said,
  after: Said,
});

const name = z.optional(z.string().check(z.minLength(1), z.maxLength(200)));

export const listAuditEvents = route({
  method: 'GET',
  path: '/admin/audit-events',
  summary: 'The actions of administrators, newest first',
  description:
    'Events from `from` on and before `to`. `actor` is a `userId`; `subject` is what was changed, such as ' +
    '`agreement-version/terms-of-service-2.0`. Times are real: the time machine does not change them. A page can ' +
    'have fewer events than `limit`, even none: only `metadata.hasMore` says whether there is another page.',
  applications: ['medinfo'],
  auth: readAudit,
  uses: [read(AuditEvents)],
  query: z.object({ ...instants, actor: name, subject: name }).check(instantsInOrder),
  cursor: 'eventId',
  items: AuditEvent,
  errors: [],
});
