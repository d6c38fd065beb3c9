import { deletionGraceDays, type Environment } from './deployments.ts';
import { table, tableExistsIn } from './tables.ts';

/**
 * One row: how far the business rules' time is from the real one. Where there is none, time is real. Every function that
 * asks for the time reads it, so that it stands here; the time machine owns it.
 */
export const Clock = table('Clock', { partitionKey: 'clockId', environments: ['dev', 'staging'] });

/** How long after a request, both by S3's dates, an erasure may begin. Where the time machine is, the grace ends by a clock that S3 does not know. */
export function datedGraceMs(environment: Environment): number {
  return tableExistsIn(Clock, environment) ? 0 : deletionGraceDays[environment] * 86_400_000;
}
