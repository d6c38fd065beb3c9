import { consumeStream } from '../../../lib/runtime/consume.ts';
import { watchConsentRecords } from '../consumers.ts';
import { watchChanges } from '../workflows/watch-changes.ts';
import { watchedRecords } from '../workflows/watched-tables.ts';
import { watchingFor } from '../workflows/watching.ts';

export const handler = consumeStream(watchConsentRecords)((records, bindings) =>
  watchChanges(records, watchedRecords, watchingFor(bindings)),
);
