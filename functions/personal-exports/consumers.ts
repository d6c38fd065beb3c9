import { keepIn } from '../../lib/contract/bucket-uses.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import { joined, sendTo, write } from '../../lib/contract/uses.ts';
import { usesOfExport } from '../generated/exported-domains.ts';
import { PersonalExportFiles } from './buckets.ts';
import { PersonalExportQueue } from './queues.ts';
import { PersonalExports } from './tables.ts';

/** One for both applications: an export's row says whose it is. */
export const makeExport = consumer({
  summary: 'Gathers all data about a person into a ZIP',
  application: 'sleepcare',
  queue: PersonalExportQueue,
  // What the domains say of their tables comes with it: a new one needs no line here.
  uses: joined([write(PersonalExports), keepIn(PersonalExportFiles), sendTo(PersonalExportQueue)], usesOfExport),
  batchSize: 1,
  concurrency: 5,
  impact: 'People wait for the export of their data',
});
