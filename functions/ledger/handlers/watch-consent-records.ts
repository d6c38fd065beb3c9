import { consumeStream } from '../../../lib/runtime/consume.ts';
import { get } from '../../../lib/runtime/rows.ts';
import { watchConsentRecords } from '../consumers.ts';
import { type Watching, watchChanges } from '../workflows/watch-changes.ts';
import { watchedRecords } from '../workflows/watched-tables.ts';
import { watchingFor } from '../workflows/watching.ts';

export const handler = consumeStream(watchConsentRecords)((records, bindings) => {
  const pointerOf: Watching['pointerOf'] = (owner) => get(bindings.tables.ConsentStates, owner);
  return watchChanges(records, watchedRecords, { ...watchingFor(bindings), pointerOf });
});
