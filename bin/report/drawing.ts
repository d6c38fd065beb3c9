import type { Figures } from './figures.ts';

export type Drawing = {
  readonly title: string;
  /** For people who cannot see the plot. */
  readonly description: string;
  readonly svg: string;
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] };
};

/** What the module of the plots exports. */
export type Plots = { readonly drawingsOf: (figures: Figures) => Drawing[] };
