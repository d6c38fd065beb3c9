import { decideCells, type Values } from '../rules/cells.ts';
import type { Row } from '../rules/columns.ts';
import { failed, type ResearchExport, stepped } from '../rules/export.ts';
import { decisionKey, pageKey, putText, readText } from '../stores/export-files.ts';
import { readWithdrawn } from '../stores/notices.ts';
import { readPages } from '../stores/pages.ts';
import type { Reach } from './reach.ts';

/** Who is in the files, and with which values: written once, so that all files and all invocations go by it. */
export type Decided = {
  readonly participants: readonly Row[];
  /** `phq-9/1.0`, each once. */
  readonly definitions: readonly string[];
};

/** After the last page: leaves out who was withdrawn since their page was read, and settles the small cells. */
export async function decide(reach: Reach, row: ResearchExport): Promise<ResearchExport> {
  const { client, tables, files, now } = reach;
  const pages = await readPages(client, tables.ResearchExportPages, row);
  const withdrawn = new Set<string>();
  for await (const pseudonym of readWithdrawn(client, tables.ResearchExportNotices, row)) withdrawn.add(pseudonym);
  const read: Row[] = [];
  for (const [number, { putAt, rows }] of pages.entries()) {
    if ((rows.participants ?? 0) === 0) continue;
    const text = await readText(files, pageKey(row, number, putAt, 'participants'));
    read.push(...linesOf(text).filter(({ pseudonym }) => !withdrawn.has(String(pseudonym))));
  }
  const rules = row.design.quasiIdentifiers;
  const { levels, suppressed, isRefused, values } = decideCells(
    rules,
    read.map((one) => valuesOf(one)),
  );
  if (isRefused) return failed(row, 'SMALL_CELLS', now());
  const declared = new Set([...rules.map(({ field }) => field), 'group']);
  const participants = read.map((one, index) => {
    const kept = Object.entries(one).filter(([name]) => !['timezone', 'locale'].includes(name) || declared.has(name));
    return { ...Object.fromEntries(kept), ...values[index] };
  });
  const definitions = [...new Set(pages.flatMap((page) => page.definitions))].toSorted();
  const decided: Decided = { participants, definitions };
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

export async function readDecided({ files }: Reach, row: ResearchExport): Promise<Decided> {
  if (row.decidedAt === null) throw new Error('nothing is decided');
  return JSON.parse(await readText(files, decisionKey(row, row.decidedAt))) as Decided;
}

export function linesOf(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

function valuesOf({ timezone = null, locale = null, group = null }: Row): Values {
  return { timezone: textOf(timezone), locale: textOf(locale), group: textOf(group) };
}

function textOf(value: Row[string] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
