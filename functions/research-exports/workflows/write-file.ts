import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { readVersion } from '../../questionnaires/exports.ts';
import { codebookColumns, columnRows, definitionRows } from '../rules/codebook.ts';
import { cellsOf, columnsOf, type Row } from '../rules/columns.ts';
import { csvLine } from '../rules/csv.ts';
import { designOf, type ResearchExport, type Upload } from '../rules/export.ts';
import { fileNamesOf, filesOf, type PlannedFile } from '../rules/plan.ts';
import {
  addPart,
  beginUpload,
  completeUpload,
  digestOf,
  fileKey,
  isUploadGone,
  putFile,
  readText,
  rowsKey,
} from '../stores/export-files.ts';
import { type Decided, linesOf, readDecided } from './decide.ts';
import { isTimeUp, type ResearchExportDependencies, usualSizes } from './dependencies.ts';

/** Writes one file from the pages. Only one part is in memory at a time, and a stored part is not sent again. */

/** @throws an Overtaken */
type Save = (before: ResearchExport, change: Partial<ResearchExport>) => Promise<ResearchExport>;

type Step = Extract<ResearchExport['step'], { kind: 'write' }>;

type Sources = {
  readonly decided: Decided;
  /** The number of participants whose rows are read at once. */
  readonly atOnce: number;
};

type Writing = { readonly file: PlannedFile; readonly sources: Sources; readonly step: Step };

/** @returns the export at the next file, or at the same file if the time is up */
export async function writeFile(
  deps: ResearchExportDependencies,
  row: ResearchExport,
  step: Step,
  save: Save,
): Promise<ResearchExport> {
  const file = filesOf(designOf(row))[step.file];
  if (!file) return save(row, { step: { kind: 'seal' }, leaseEndsAt: null });
  const decided = await readDecided(deps, row);
  const { pageEnrolments: atOnce } = deps.sizes ?? usualSizes;
  let current = row;
  const keep = async (upload: Upload) => {
    current = await save(current, { step: { ...step, upload } });
  };
  try {
    const rows = await putParts(deps, row, { file, step, sources: { decided, atOnce } }, keep);
    if (rows === null) return save(current, { leaseEndsAt: null });
    const { bytes, sha256 } = await digestOf(deps.files, fileKey(row, file.name));
    const files = [...row.files, { name: file.name, bytes, rows, sha256 }];
    return await save(current, {
      files,
      step: { kind: 'write', file: step.file + 1, upload: null },
      leaseEndsAt: null,
    });
  } catch (error) {
    if (step.upload === null || !isUploadGone(error)) throw error;
    // A crash came between the end of the upload and the step after it. The file is written again.
    return save(current, { step: { ...step, upload: null }, leaseEndsAt: null });
  }
}

/** @returns the number of rows in the file; null if the time is up before the end */
async function putParts(
  deps: ResearchExportDependencies,
  row: ResearchExport,
  { file, step, sources }: Writing,
  keep: (upload: Upload) => Promise<void>,
): Promise<number | null> {
  const { files, sizes = usualSizes } = deps;
  const key = fileKey(row, file.name);
  let upload: Upload | null = step.upload;
  let rows = upload?.rows ?? 0;
  let waiting: Buffer[] = upload ? [] : [Buffer.from(headerOf(file))];
  const last = pagesOf(file, sources);
  for (let page = upload?.page ?? 0; page < last; page += 1) {
    if (isTimeUp(deps)) return null;
    const found = await rowsOf(deps, row, file, sources, page);
    rows += found.length;
    waiting.push(Buffer.from(found.map((one) => lineOf(file, one)).join('')));
    const isPart = waiting.reduce((sum, { length }) => sum + length, 0) >= sizes.partBytes;
    if (!isPart || page === last - 1) continue;
    const to: Upload = upload ?? { uploadId: await beginUpload(files, key), etags: [], page: 0, rows: 0 };
    const etag = await addPart(files, key, to, Buffer.concat(waiting));
    waiting = [];
    upload = { ...to, etags: [...to.etags, etag], page: page + 1, rows };
    await keep(upload);
  }
  const rest = Buffer.concat(waiting);
  if (!upload) {
    await putFile(files, key, rest);
    return rows;
  }
  const etag = await addPart(files, key, upload, rest);
  await completeUpload(files, key, { ...upload, etags: [...upload.etags, etag] });
  return rows;
}

function headerOf({ form, columns }: PlannedFile): string {
  return form === 'csv' ? csvLine(columns.map(({ name }) => name)) : '';
}

function lineOf({ form, columns }: PlannedFile, row: Row): string {
  const cells = cellsOf(columns, row);
  if (form === 'csv') return csvLine(cells);
  return `${JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]])))}\n`;
}

/** A file that is not made from pages of rows counts as one page. */
function pagesOf({ source }: PlannedFile, { decided, atOnce }: Sources): number {
  return source === 'participants' || source === 'codebook' ? 1 : Math.ceil(decided.sources.length / atOnce);
}

async function rowsOf(
  deps: ResearchExportDependencies,
  row: ResearchExport,
  { source }: PlannedFile,
  { decided, atOnce }: Sources,
  number: number,
): Promise<readonly Row[]> {
  if (source === 'participants') return decided.participants;
  if (source === 'codebook') return codebookOf(deps, row, decided);
  const here = decided.sources.slice(number * atOnce, (number + 1) * atOnce);
  const found = await mapWithConcurrency(
    here.filter(({ files }) => files.includes(source)),
    atOnce,
    async (from) => linesOf<Row>(await readText(deps.files, rowsKey(row, from, source))),
  );
  return found.flat();
}

async function codebookOf({ tables }: ResearchExportDependencies, row: ResearchExport, { definitions }: Decided) {
  const design = designOf(row);
  const identifiers = design.quasiIdentifiers.map(({ field }) => field);
  const named = fileNamesOf(design).flatMap((name) => columnRows(name, columnsOf(name, identifiers)));
  const rows = [...named, ...columnRows('codebook', codebookColumns)];
  for (const name of definitions) {
    const [questionnaireId = '', version = ''] = name.split('/');
    const definition = await readVersion(tables.Questionnaires, questionnaireId, version);
    if (definition) rows.push(...definitionRows(definition));
  }
  return rows;
}
