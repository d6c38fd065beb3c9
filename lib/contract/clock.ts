import { deletionGraceDays, type Environment } from './deployments.ts';
import { table, tableExistsIn } from './tables.ts';

/**
 * One row: the offset of the business rules' time from real time. Without the row, time is real. Every function that needs
 * the time reads it, so the table is declared here; the time machine owns it.
 */
export const Clock = table('Clock', { partitionKey: 'clockId', environments: ['dev', 'staging'] });

/**
 * How long after a request an erasure may begin at the earliest, both by S3's dates. Where the time machine is, the grace
 * ends by a clock that S3 does not know.
 */
export function datedGraceMs(environment: Environment): number {
  return tableExistsIn(Clock, environment) ? 0 : deletionGraceDays[environment] * 86_400_000;
}
