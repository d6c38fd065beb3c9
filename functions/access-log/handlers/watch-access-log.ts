import { consumeStream } from '../../../lib/runtime/consume.ts';
import { reportingOf, watchAppends } from '../../evidence/exports.ts';
import { watchAccessLog } from '../consumers.ts';
import { watchedLooks } from '../workflows/watched-looks.ts';

export const handler = consumeStream(watchAccessLog)((records, bindings) =>
  watchAppends(records, watchedLooks, reportingOf(bindings)),
);
