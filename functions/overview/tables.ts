import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { FigureRow, GenerationsRow } from './rules/sources.ts';

/**
 * What the overview counts: under the generation each figure by its name. Under `generations` which generation is read, and which
 * one a rebuild counts into.
 */
export const OverviewFigures = table<FigureRow | GenerationsRow>()('OverviewFigures', {
  partitionKey: 'generation',
  sortKey: 'figure',
  adjustable: ['count'],
});
export type OverviewFigures<A extends Action> = Handle<typeof OverviewFigures, A>;

/** In which figures a thing counts. */
export type Counted = { readonly figures: readonly string[]; readonly revision: number };

/** Of each thing that is counted, in which figures: by it nothing counts twice. By generation, source and id of the thing. */
export const OverviewEntries = table<Counted & { readonly userId: string; readonly entry: string }>()(
  'OverviewEntries',
  { partitionKey: 'userId', sortKey: 'entry' },
);
export type OverviewEntries<A extends Action> = Handle<typeof OverviewEntries, A>;
