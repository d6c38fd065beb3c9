import { table } from './tables.ts';

/**
 * One row: how far the business rules' time is from the real one. Where there is none, time is real. Every function that
 * asks for the time reads it, so that it stands here; the time machine owns it.
 */
export const Clock = table('Clock', { partitionKey: 'clockId', environments: ['dev', 'staging'] });
