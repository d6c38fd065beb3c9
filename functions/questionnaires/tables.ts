import { table } from '../../lib/contract/tables.ts';

/**
 * What is published. Under `questionnaires` each questionnaire with its current version, under `questionnaire#<id>` each
 * version whole, under `bundles` the bundles.
 */
export const Questionnaires = table('Questionnaires', { partitionKey: 'part', sortKey: 'name' });
