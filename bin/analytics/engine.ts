import type { Question } from '../../functions/analytics/questions.ts';
import type { ExportedTable } from '../../functions/analytics/views.ts';

/** What answers questions over exported files, and its answers. */

export type Row = Readonly<Record<string, string | number | null>>;

export type Answers = {
  /** @param parameters in the order of the question's parameters */
  readonly ask: (question: Pick<Question, 'sql'>, parameters?: readonly string[]) => Promise<Row[]>;
  /** The names of the columns, also if there are no rows. */
  readonly columnsOf: (question: Pick<Question, 'sql' | 'parameters'>) => Promise<readonly string[]>;
  readonly close: () => void;
};

/** What the engine's module exports. */
export type Engine = {
  /**
   * @param filesOf the data files of each table
   * @throws an Error if a view cannot read the files
   */
  readonly openAnswers: (filesOf: (table: ExportedTable) => readonly string[]) => Promise<Answers>;
};
