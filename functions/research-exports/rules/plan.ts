import { codebookColumns } from './codebook.ts';
import { type Column, columnsOf, type FileName } from './columns.ts';
import type { Design } from './export.ts';

/** The files of an export, in the order in which they are written. Pure. */

export type PlannedFile = {
  /** `diary.csv` */
  readonly name: string;
  readonly form: 'csv' | 'ndjson';
  readonly source: FileName | 'codebook';
  readonly columns: readonly Column[];
};

export function fileNamesOf({ dataClasses }: Pick<Design, 'dataClasses'>): FileName[] {
  return ['participants', ...dataClasses];
}

export function filesOf(design: Pick<Design, 'dataClasses' | 'quasiIdentifiers'>): PlannedFile[] {
  const identifiers = design.quasiIdentifiers.map(({ field }) => field);
  const named = fileNamesOf(design).map((name) => ({ source: name, columns: columnsOf(name, identifiers) }));
  return [...named, { source: 'codebook' as const, columns: codebookColumns }].flatMap((file) =>
    (['csv', 'ndjson'] as const).map((form) => ({ ...file, form, name: `${file.source}.${form}` })),
  );
}
