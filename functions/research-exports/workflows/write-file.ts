import { readVersion } from '../../questionnaires/exports.ts';
import { codebookColumns, columnRows, definitionRows } from '../rules/codebook.ts';
import { cellsOf, columnsOf, type Row } from '../rules/columns.ts';
import { csvLine } from '../rules/csv.ts';
import { progressed, type ResearchExport, type Upload } from '../rules/export.ts';
import { fileNamesOf, filesOf, type PlannedFile } from '../rules/plan.ts';
import {
  addPart,
  beginUpload,
  completeUpload,
  digestOf,
  fileKey,
  isUploadGone,
  pageKey,
  putFile,
  readText,
} from '../stores/export-files.ts';
import { type PageRow, readPages } from '../stores/pages.ts';
import { type Decided, linesOf, readDecided } from './decide.ts';
import { isTimeUp, type Reach, usualSizes } from './reach.ts';

/** Writes the files from the pages: of each a part at a time is in memory, and what is put is put. */

export type Save = (change: Partial<ResearchExport>) => Promise<ResearchExport>;

type Sources = { readonly pages: readonly PageRow[]; readonly decided: Decided; readonly included: ReadonlySet<string> };

/** @returns the export as it is saved: all files are written, or time is up */
export async function writeFiles(reach: Reach, from: ResearchExport, save: Save): Promise<ResearchExport> {
  const { client, tables } = reach;
  const planned = filesOf(from.design);
  const decided = await readDecided(reach, from);
  const pages = await readPages(client, tables.ResearchExportPages, from);
  const included = new Set(decided.participants.map(({ pseudonym }) => String(pseudonym)));
  const sources = { pages, decided, included };
  let row = from;
  while (row.step.kind === 'write' && !isTimeUp(reach)) {
    const file = planned[row.step.file];
    if (!file) return save({ step: { kind: 'seal' } });
    row = await writeFile(reach, { row, file, sources }, save);
  }
  return row;
}

type Writing = { readonly row: ResearchExport; readonly file: PlannedFile; readonly sources: Sources };

async function writeFile(reach: Reach, writing: Writing, save: Save): Promise<ResearchExport> {
  const { row, file } = writing;
  if (row.step.kind !== 'write') throw new Error('no file is being written');
  try {
    const put = await putParts(reach, writing, save);
    if (put === null) return save({});
    const { bytes, sha256 } = await digestOf(reach.files, fileKey(row, file.name));
    const files = [...row.files, { name: file.name, bytes, rows: put.rows, sha256 }];
    return await save({ files, step: { kind: 'write', file: row.step.file + 1, upload: null } });
  } catch (error) {
    if (row.step.upload === null || !isUploadGone(error)) throw error;
    // Killed between the end of the upload and the step after it: the file is put again.
    return save({ step: { ...row.step, upload: null } });
  }
}

/** @returns null where time is up before the end */
async function putParts(reach: Reach, { row, file, sources }: Writing, save: Save): Promise<{ rows: number } | null> {
  if (row.step.kind !== 'write') throw new Error('no file is being written');
  const { files, sizes = usualSizes } = reach;
  const key = fileKey(row, file.name);
  const begun = row.step;
  let upload: Upload | null = begun.upload;
  let rows = upload?.rows ?? 0;
  let waiting: Buffer[] = upload ? [] : [Buffer.from(headerOf(file))];
  const last = pagesOf(file, sources);
  for (let page = upload?.page ?? 0; page < last; page += 1) {
    if (isTimeUp(reach)) return null;
    const found = await rowsOf(reach, row, file, sources, page);
    rows += found.length;
    waiting.push(Buffer.from(found.map((one) => lineOf(file, one)).join('')));
    const isPart = waiting.reduce((sum, { length }) => sum + length, 0) >= sizes.partBytes;
    if (!isPart || page === last - 1) continue;
    const to: Upload = upload ?? { uploadId: await beginUpload(files, key), etags: [], page: 0, rows: 0 };
    const etag = await addPart(files, key, to, Buffer.concat(waiting));
    waiting = [];
    upload = { ...to, etags: [...to.etags, etag], page: page + 1, rows };
    await save({ step: { ...begun, upload } });
  }
  const rest = Buffer.concat(waiting);
  if (!upload) {
    await putFile(files, key, rest);
    return { rows };
  }
  const etag = await addPart(files, key, upload, rest);
  await completeUpload(files, key, { ...upload, etags: [...upload.etags, etag] });
  return { rows };
}

function headerOf({ form, columns }: PlannedFile): string {
  return form === 'csv' ? csvLine(columns.map(({ name }) => name)) : '';
}

function lineOf({ form, columns }: PlannedFile, row: Row): string {
  const cells = cellsOf(columns, row);
  if (form === 'csv') return csvLine(cells);
  return `${JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]])))}\n`;
}

/** What has no pages of its own is one. */
function pagesOf({ source }: PlannedFile, { pages }: Sources): number {
  return source === 'participants' || source === 'codebook' ? 1 : pages.length;
}

async function rowsOf(
  reach: Reach,
  row: ResearchExport,
  { source }: PlannedFile,
  { pages, decided, included }: Sources,
  number: number,
): Promise<readonly Row[]> {
  if (source === 'participants') return decided.participants;
  if (source === 'codebook') return codebookOf(reach, row, decided);
  const page = pages[number];
  if (!page || (page.rows[source] ?? 0) === 0) return [];
  const text = await readText(reach.files, pageKey(row, number, page.putAt, source));
  return linesOf(text).filter(({ pseudonym }) => included.has(String(pseudonym)));
}

async function codebookOf({ client, tables }: Reach, { design }: ResearchExport, { definitions }: Decided) {
  const identifiers = design.quasiIdentifiers.map(({ field }) => field);
  const named = fileNamesOf(design).flatMap((name) => columnRows(name, columnsOf(name, identifiers)));
  const rows = [...named, ...columnRows('codebook', codebookColumns)];
  for (const name of definitions) {
    const [questionnaireId = '', version = ''] = name.split('/');
    const definition = await readVersion(client, tables.Questionnaires, questionnaireId, version);
    if (definition) rows.push(...definitionRows(definition));
  }
  return rows;
}
