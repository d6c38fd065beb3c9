import type { ExportedDomain, ExportedFile, ExportedTable } from '../../../lib/contract/personal-data.ts';
import type { Progress } from './export.ts';

/** What an export gathers, in which order: the sources of each file, one file after another. */

export type Source = {
  /** `devices/Devices`, `consents.html` */
  readonly id: string;
  /** In the ZIP. */
  readonly file: string;
  readonly isFirstOfFile: boolean;
  readonly isLastOfFile: boolean;
} & ({ readonly kind: 'rows'; readonly table: ExportedTable } | { readonly kind: 'text'; readonly by: string });

export type Plan = { readonly sources: readonly Source[]; readonly name: string };

/** @param has whether a table is there in the environment */
export function planOf(
  domains: readonly ExportedDomain[],
  files: readonly Pick<ExportedFile, 'name' | 'by'>[],
  has: (table: ExportedTable) => boolean,
): Plan {
  const ofTables = domains.flatMap(({ domain, tables }) => {
    const here = tables.filter(has);
    return here.map((table, index): Source => {
      const [isFirstOfFile, isLastOfFile] = [index === 0, index === here.length - 1];
      const id = `${domain}/${table.table.name}`;
      return { id, file: `${domain}.json`, isFirstOfFile, isLastOfFile, kind: 'rows', table };
    });
  });
  const ofFiles = files.map(({ name, by }): Source => {
    return { id: name, file: name, isFirstOfFile: true, isLastOfFile: true, kind: 'text', by };
  });
  const sources = [...ofTables, ...ofFiles];
  return { sources, name: sources.map(({ id }) => id).join(' ') };
}

/** From the start, where nothing is gathered, or it was by another plan. */
export function progressIn({ name }: Plan, known: Progress | null): { progress: Progress; isNew: boolean } {
  if (known?.plan === name) return { progress: known, isNew: false };
  return { progress: { plan: name, source: 0, position: null, parts: {}, rows: {} }, isNew: true };
}

/** By domain and table. */
export function entryOf(domain: string, table: string): string {
  return `${domain}/${table}`;
}

/** The names of the files, each once. */
export function filesOf({ sources }: Plan): string[] {
  return [...new Set(sources.map(({ file }) => file))];
}
