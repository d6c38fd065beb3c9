import { cellRulesOf, decideCells, type Values } from '../rules/cells.ts';
import type { Row } from '../rules/columns.ts';
import { type Draft, inOrder, type Source } from '../rules/draft.ts';
import { designOf, failed, type ResearchExport, stepped } from '../rules/export.ts';
import { decisionKey, pageKey, putText, readText } from '../stores/export-files.ts';
import { readWithdrawn } from '../stores/notices.ts';
import { readPages } from '../stores/pages.ts';
import type { ResearchExportDependencies } from './dependencies.ts';

/** Who is in the files, with which values. It is written once, and all files and invocations use it. */
export type Decided = {
  readonly participants: readonly Row[];
  /** One for each participant, in the same order. */
  readonly sources: readonly Source[];
  /** `phq-9/1.0`, each once. */
  readonly definitions: readonly string[];
};

/** The step after the last page. It leaves out participants who left or were erased since their page was read, and decides about small cells. */
export async function decide(deps: ResearchExportDependencies, row: ResearchExport): Promise<ResearchExport> {
  const { tables, files, now } = deps;
  const pages = await readPages(tables.ResearchExportPages, row);
  const withdrawn = new Set<string>();
  for await (const pseudonym of readWithdrawn(tables.ResearchExportNotices, row)) withdrawn.add(pseudonym);
  const read: (Draft & Source)[] = [];
  for (const [number, { putAt, participants }] of pages.entries()) {
    if (participants === 0) continue;
    const drafts = linesOf<Draft>(await readText(files, pageKey(row, number, putAt)));
    read.push(...drafts.filter(({ pseudonym }) => !withdrawn.has(pseudonym)).map((one) => ({ ...one, putAt })));
  }
  const ordered = inOrder(read);
  const rules = cellRulesOf(designOf(row).quasiIdentifiers);
  const { levels, suppressed, isRefused, values } = decideCells(
    rules,
    ordered.map(({ itself }) => valuesOf(itself)),
  );
  if (isRefused) return failed(row, 'SMALL_CELLS', now());
  const participants = ordered.map(({ itself }, index) => ({ ...itself, ...values[index] }));
  const sources = ordered.map(({ pseudonym, files: names, putAt }): Source => ({ pseudonym, files: names, putAt }));
  const definitions = [...new Set(pages.flatMap((page) => page.definitions))].toSorted();
  const decided: Decided = { participants, sources, definitions };
  await putText(files, decisionKey(row, row.revision), JSON.stringify(decided));
  return stepped(
    row,
    {
      step: { kind: 'write', file: 0, upload: null },
      decidedAt: row.revision,
      participants: participants.length,
      smallCells: { levels, suppressed, withdrawn: row.participants - participants.length },
    },
    now(),
  );
}

export async function readDecided({ files }: ResearchExportDependencies, row: ResearchExport): Promise<Decided> {
  if (row.decidedAt === null) throw new Error('nothing is decided');
  return JSON.parse(await readText(files, decisionKey(row, row.decidedAt))) as Decided;
}

export function linesOf<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function valuesOf({ timezone = null, locale = null, group = null }: Row): Values {
  return { timezone: textOf(timezone), locale: textOf(locale), group: textOf(group) };
}

function textOf(value: Row[string] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
