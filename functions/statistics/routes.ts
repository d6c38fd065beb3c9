import * as z from 'zod/mini';
import { combined, Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { datesInOrder, optionalDates } from '../../lib/contract/ranges.ts';
import { route } from '../../lib/contract/route.ts';
import { read } from '../../lib/contract/uses.ts';
import { AgreementNotFound } from '../agreements/errors.ts';
import { Agreements } from '../agreements/tables.ts';
import { readAudit } from '../audit/permissions.ts';
import { applications } from '../product.ts';
import { ConsentStatistics } from './tables.ts';

const mostDays = 366;

const figures = {
  /** The numbers of users who consent, of those who must consent again, and of those who revoked and did not agree again. */
  agreeing: z.int(),
  reconsentDue: z.int(),
  revoked: z.int(),
  /** What happened: consents given, consents revoked, consents after a revocation, consents left for another version. */
  agreements: z.int(),
  revocations: z.int(),
  returns: z.int(),
  replaced: z.int(),
};

export const VersionStatistics = z.object(
  combined(
    {
      versionId: Id,
      label: z.string(),
      changeType: z.enum(['major', 'minor']),
      status: z.enum(['draft', 'scheduled', 'active', 'superseded', 'withdrawn']),
    },
    figures,
  ),
);
export const VersionFigures = z.object(combined({ versionId: Id }, figures));
export const DayStatistics = z.object(combined({ date: z.iso.date() }, figures, { versions: z.array(VersionFigures) }));

export const readStatistics = route({
  method: 'GET',
  path: '/agreements/{agreementId}/statistics',
  summary: 'The numbers of consents, revocations and due renewals of an agreement, by version and day',
  description:
    'For an agreement of either application. Days are in UTC: the last 30 including today, or `from` to `to`, at ' +
    'most 366 days. Each day has the counts of what happened on it, and the totals at its end. `returns` and ' +
    '`replaced` are counted under the version that the user left. The figures follow a consent within seconds. An ' +
    'erased user is counted until the consent records are deleted.',
  applications: ['medinfo'],
  auth: readAudit,
  uses: [read(ConsentStatistics), read(Agreements)],
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  query: z.object(optionalDates).check(datesInOrder(mostDays)),
  response: z.object(
    combined(
      {
        agreementId: Id,
        application: z.enum(applications),
        /** The time by which it is said what is due. */
        at: Timestamp,
      },
      figures,
      { versions: z.array(VersionStatistics), days: z.array(DayStatistics) },
    ),
  ),
  errors: [AgreementNotFound],
});
