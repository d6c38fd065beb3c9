import { consumeQueue } from '../../../lib/runtime/consume.ts';
import type { Revocation } from '../../consent-events/rules.ts';
import { endEnrolments } from '../consumers.ts';
import { endByRevocation } from '../workflows/leave.ts';

/** In any order: a revocation ends only what rests on an earlier record. */
export const handler = consumeQueue(endEnrolments)(async ({ body }, { tables, log }) => {
  const ended = await endByRevocation(tables, JSON.parse(body) as Revocation);
  log({ level: 'INFO', message: 'enrolments ended', ended });
});
