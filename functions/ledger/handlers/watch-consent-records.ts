import { consumeStream } from '../../../lib/runtime/consume.ts';
import { get } from '../../../lib/runtime/rows.ts';
import { readNextRecord } from '../../consents/exports.ts';
import { watchConsentRecords } from '../consumers.ts';
import { type Watching, watchChanges } from '../workflows/watch-changes.ts';
import { watchedRecords } from '../workflows/watched-tables.ts';
import { watchingFor } from '../workflows/watching.ts';

export const handler = consumeStream(watchConsentRecords)((records, bindings) => {
  const { ConsentRecords, ConsentStates } = bindings.tables;
  const besides: Watching['besides'] = async (owner, recordedAt) => {
    const pointer = await get(ConsentStates, owner);
    const isAhead = pointer !== null && String(pointer.recordedAt) > recordedAt;
    return { pointer, next: isAhead ? await readNextRecord(ConsentRecords, { ...owner, recordedAt }) : null };
  };
  return watchChanges(records, watchedRecords, { ...watchingFor(bindings), besides });
});
