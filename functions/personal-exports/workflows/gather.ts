import type { ExportPosition } from '../../../lib/runtime/exporter.ts';
import type { Progress } from '../rules/export.ts';
import { closing, opening, rowsText } from '../rules/json-file.ts';
import type { Plan, Source } from '../rules/plan.ts';

/** Gathering an export's data into parts, from wherever the last invocation ended. */

type Row = Readonly<Record<string, unknown>>;
type Page<T> = T & { readonly next: ExportPosition | null };

export type Gathering = {
  readonly readRows: (
    source: Source & { kind: 'rows' },
    after: ExportPosition | null,
  ) => Promise<Page<{ rows: readonly Row[] }>>;
  readonly writeText: (
    source: Source & { kind: 'text' },
    after: ExportPosition | null,
  ) => Promise<Page<{ text: string }>>;
  readonly putPart: (part: { file: string; number: number; text: string }) => Promise<void>;
  /** That the parts are there, and where to go on. */
  readonly save: (progress: Progress) => Promise<void>;
  readonly isTimeUp: () => boolean;
};

/** Characters: of more memory is not needed, of less each part costs as much. */
const partLength = 1024 * 1024;

/** @returns the progress that is saved: all is gathered, or time is up */
export async function gather(plan: Plan, from: Progress, how: Gathering): Promise<Progress> {
  let progress = from;
  let text = '';
  // Asked once a page: what was read when time ran out is put, too.
  let isOver = how.isTimeUp();
  while (!isGathered(plan, progress) && !isOver) {
    const source = plan.sources[progress.source] as Source;
    const page = await readPage(source, progress, how);
    text += page.text;
    progress = page.progress;
    const isFileOver = progress.position === null && source.isLastOfFile;
    isOver = how.isTimeUp();
    if (!isFileOver && text.length < partLength && !isOver) continue;
    progress = await flush(source.file, text, progress, how);
    text = '';
  }
  return progress;
}

export function isGathered(plan: Plan, { source }: Progress): boolean {
  return source >= plan.sources.length;
}

async function readPage(
  source: Source,
  progress: Progress,
  how: Gathering,
): Promise<{ text: string; progress: Progress }> {
  const after = progress.position as ExportPosition | null;
  const at = (next: ExportPosition | null) => ({ position: next, source: progress.source + (next === null ? 1 : 0) });
  if (source.kind === 'text') {
    const { text, next } = await how.writeText(source, after);
    return { text, progress: { ...progress, ...at(next) } };
  }
  const place = { ...source, name: source.table.table.name };
  const already = progress.rows[source.id] ?? 0;
  const { rows, next } = await how.readRows(source, after);
  const count = already + rows.length;
  const text = [
    after === null ? opening(place) : '',
    rowsText(rows, already),
    next === null ? closing(place, count) : '',
  ].join('');
  return { text, progress: { ...progress, ...at(next), rows: { ...progress.rows, [source.id]: count } } };
}

async function flush(file: string, text: string, progress: Progress, { putPart, save }: Gathering): Promise<Progress> {
  const number = progress.parts[file] ?? 0;
  await putPart({ file, number, text });
  const after = { ...progress, parts: { ...progress.parts, [file]: number + 1 } };
  await save(after);
  return after;
}
