import { consumeStream } from '../../../lib/runtime/consume.ts';
import { watchConsentReceipts } from '../consumers.ts';
import { watchChanges } from '../workflows/watch-changes.ts';
import { watchedReceipts } from '../workflows/watched-tables.ts';
import { watchingFor } from '../workflows/watching.ts';

export const handler = consumeStream(watchConsentReceipts)((records, bindings) =>
  watchChanges(records, watchedReceipts, watchingFor(bindings)),
);
