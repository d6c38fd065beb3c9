import * as z from 'zod/mini';
import { readFrom } from '../../lib/contract/bucket-uses.ts';
import { AccountClosed } from '../../lib/contract/common-errors.ts';
import { Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { adjust, append, check, get, read, sendTo } from '../../lib/contract/uses.ts';
import { Accounts, Erasures } from '../erasure/tables.ts';
import { Users } from '../users/tables.ts';
import { PersonalExportFiles } from './buckets.ts';
import { ExportNotFound, TooManyExports } from './errors.ts';
import { readOwnExports, writeOwnExports } from './permissions.ts';
import { PersonalExportQueue } from './queues.ts';
import { PersonalExports } from './tables.ts';

const both = ['sleepcare', 'medinfo'] as const;
const time = z.nullable(Timestamp);

const said = {
  exportId: Id,
  status: z.enum(['pending', 'running', 'done', 'failed']),
  requestedAt: Timestamp,
  /** When it was done or given up. */
  finishedAt: time,
  /** Until then it can be downloaded; it is deleted then. */
  expiresAt: Timestamp,
  /** Of the ZIP, once it is there. */
  sizeBytes: z.nullable(z.int()),
};

export const PersonalExport = z.object(said);

export const PersonalExportWithLink = z.object({
  ...said,
  /** Anybody who has this link can download the ZIP; null unless `status` is `done`. */
  downloadUrl: z.nullable(z.string()),
  /** A download has to begin by then. */
  downloadUrlExpiresAt: time,
});

export const requestExport = route({
  method: 'POST',
  path: '/users/me/exports',
  summary: "Requests a copy of all of the caller's data",
  description:
    'The GDPR gives a right to this copy (Art. 15 and 20). 202: the copy is made within minutes, and `GET ' +
    '/users/me/exports/{exportId}` then has the link to a ZIP. Only one export is made at a time: while it is being made, a further request gets the same export. So a repetition does no harm. At most five exports in 24 hours. The ' +
    'sign-in must be at most ten minutes old (403 `SIGN_IN_TOO_OLD`). After a request to delete the account, an ' +
    'export is possible until the erasure begins.',
  applications: both,
  auth: writeOwnExports,
  closedAccount: 'write',
  signedInWithinSeconds: 600,
  uses: [
    read(PersonalExports),
    adjust(PersonalExports),
    check(Erasures),
    check(Accounts),
    sendTo(PersonalExportQueue),
    get(Users),
    append(Users),
    userPool('read'),
  ],
  status: 202,
  response: PersonalExport,
  errors: [AccountClosed, TooManyExports],
});

export const listExports = route({
  method: 'GET',
  path: '/users/me/exports',
  summary: "The caller's exports of the last seven days, newest first",
  applications: both,
  auth: readOwnExports,
  closedAccount: 'read',
  uses: [read(PersonalExports)],
  cursor: 'exportId',
  items: PersonalExport,
  errors: [],
});

export const readExport = route({
  method: 'GET',
  path: '/users/me/exports/{exportId}',
  summary: "The progress of one of the caller's exports, and the download link of its ZIP",
  description:
    'Each request for an export that is `done` gets a new `downloadUrl`, which is valid for 15 minutes. It needs ' +
    'no token: anybody that has it can read the data. `failed`: request a new export.',
  applications: both,
  auth: readOwnExports,
  closedAccount: 'read',
  uses: [read(PersonalExports), readFrom(PersonalExportFiles)],
  params: z.object({ exportId: pathId(ExportNotFound) }),
  response: PersonalExportWithLink,
  errors: [ExportNotFound],
});
