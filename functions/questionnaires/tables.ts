import { table } from '../../lib/contract/tables.ts';

/**
 * Everything that is published. `questionnaires` has each questionnaire with its current version, `questionnaire#<id>`
 * each whole version, and `bundles` the bundles.
 */
export const Questionnaires = table('Questionnaires', { partitionKey: 'part', sortKey: 'name' });
