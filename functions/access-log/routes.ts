import * as z from 'zod/mini';
import { Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { batch, read } from '../../lib/contract/uses.ts';
import { Sites } from '../crm-sites/tables.ts';
import { readOwnAccessLog } from './permissions.ts';
import { AccessLog } from './tables.ts';

export const AccessLogConsent = z.object({
  agreementId: z.string(),
  /** One of the records of `GET /users/agreements/{agreementId}/history`. */
  recordId: z.string(),
});

export const AccessLogSite = z.object({ siteId: z.string(), name: z.string() });

export const AccessLogEntry = z.object({
  lookId: z.string(),
  /** Real time, whatever the time machine says. */
  at: Timestamp,
  /** The name of the person who looked, as it was at that time; null for staff and services without a site. */
  name: z.nullable(z.string()),
  roles: z.array(z.string()),
  /** The site by which they and the caller belong together; null where that was not the reason. */
  site: z.nullable(AccessLogSite),
  /** Why they could look: null for what the law or the administration of accounts asks for. More values may come. */
  relation: z.nullable(z.enum(['care', 'support', 'safety'])),
  /** What they called: method and path of the route. */
  action: z.string(),
  /** The consent that the look rested on; null where it needed none, or showed only that the caller is with the site. */
  consent: z.nullable(AccessLogConsent),
});

export const listAccessLog = route({
  method: 'GET',
  path: '/users/me/access-log',
  summary: "The looks at the caller's data, newest first",
  description:
    'Each access by staff and by other services, for three years. It is logged before the data is shown. The ' +
    "caller's own requests are not logged here.",
  applications: ['sleepcare'],
  auth: readOwnAccessLog,
  closedAccount: 'read',
  uses: [read(AccessLog), batch(Sites)],
  cursor: 'lookId',
  items: AccessLogEntry,
  errors: [],
});
