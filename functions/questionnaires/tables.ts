import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';

/**
 * Everything that is published. `questionnaires` has each questionnaire with its current version, `questionnaire#<id>`
 * each whole version, and `bundles` the bundles.
 */
export const Questionnaires = table()('Questionnaires', { partitionKey: 'part', sortKey: 'name' });
export type Questionnaires<A extends Action> = Handle<typeof Questionnaires, A>;
