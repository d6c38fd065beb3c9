import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { BundleRow } from './rules/bundle.ts';
import type { Head, Version } from './rules/definition.ts';
import type { WordingGuard } from './rules/wording.ts';

type QuestionnairesRow = { readonly part: string; readonly name: string } & (Head | Version | BundleRow | WordingGuard);

/**
 * Everything that is published. `questionnaires` has each questionnaire with its current version, `questionnaire#<id>`
 * each whole version, `bundles` the bundles, and `guards` one row that each new bundle and version changes.
 */
export const Questionnaires = table<QuestionnairesRow>()('Questionnaires', { partitionKey: 'part', sortKey: 'name' });
export type Questionnaires<A extends Action> = Handle<typeof Questionnaires, A>;
