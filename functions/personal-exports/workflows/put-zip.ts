import type { ExportedDomain, ExportedFile } from '../../../lib/contract/personal-data.ts';
import type { ExportedPerson } from '../../../lib/runtime/exporter.ts';
import type { PersonalExport, Progress } from '../rules/export.ts';
import { indexPage } from '../rules/index-page.ts';
import { entryOf, filesOf, type Plan } from '../rules/plan.ts';
import { type Files, readParts, zipKey } from '../stores/export-objects.ts';
import { uploadZip } from '../stores/upload-zip.ts';
import { zipped } from '../stores/zip.ts';

export type Whole = {
  readonly row: PersonalExport;
  readonly progress: Progress;
  readonly plan: Plan;
  readonly person: ExportedPerson;
  readonly domains: readonly ExportedDomain[];
  readonly files: readonly Pick<ExportedFile, 'name' | 'holds'>[];
  readonly now: Date;
};

/** The page that explains the files, and the files from their parts. @returns the ZIP's length */
export async function putZip(deps: Files, whole: Whole): Promise<number> {
  const { row, progress, plan, person, domains, files, now } = whole;
  const { requestedAt } = row;
  const known = new Set(plan.sources.map(({ id }) => id));
  const shown = domains.flatMap(({ domain, tables }) => {
    const here = tables.filter(({ table }) => known.has(entryOf(domain, table.name)));
    return here.length > 0 ? [{ domain, tables: here }] : [];
  });
  const index = indexPage({
    ...person,
    requestedAt,
    madeAt: now.toISOString(),
    domains: shown,
    files,
    entries: (domain, table) => progress.rows[entryOf(domain, table)] ?? 0,
  });
  const entries = [
    { name: 'index.html', chunks: oneChunk(index) },
    ...filesOf(plan).map((name) => ({ name, chunks: readParts(deps, row, name, progress.parts[name] ?? 0) })),
  ];
  return uploadZip(deps, zipKey(row), zipped(entries, now));
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
