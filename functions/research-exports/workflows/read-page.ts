import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { readEnrolments, readStudyKey } from '../../research/exports.ts';
import type { Draft } from '../rules/draft.ts';
import { designOf, failed, mostParticipants, type ResearchExport, stepped } from '../rules/export.ts';
import { pageKey, putText, rowsKey } from '../stores/export-files.ts';
import { commitPage } from '../stores/pages.ts';
import { type Read, readParticipant } from '../stores/participants.ts';
import { Overtaken, type ResearchExportDependencies, usualSizes } from './dependencies.ts';

const atOnce = 5;
const attempts = 4;
/** How many objects are written at once. */
const putAtOnce = 10;

/**
 * Makes the next page of participants: first its objects, then the step to the page after it. After a crash in between, the page is
 * read again, with the consents that hold then.
 *
 * @throws an Overtaken
 */
export async function readPage(deps: ResearchExportDependencies, row: ResearchExport): Promise<ResearchExport> {
  if (row.step.kind !== 'read') throw new Error('this export is not being read');
  const { tables, sizes = usualSizes, now } = deps;
  const { studyId } = row;
  const asked = { limit: sizes.pageEnrolments, after: row.step.after };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const readAt = now();
    const [{ enrolments, next }, key] = await Promise.all([
      readEnrolments(tables.Enrolments, studyId, asked),
      readStudyKey(tables.StudyKeys, studyId),
    ]);
    // People who joined since the request are in the next export, wherever they are in the order of the enrolments.
    const early = enrolments.filter(({ enrolledAt, leftAt }) => enrolledAt <= row.enrolledUntil && leftAt === null);
    const design = designOf(row);
    const read = await mapWithConcurrency(early, atOnce, async (enrolment) => {
      if (!key) throw new Error('a study with participants and without a key');
      return readParticipant(tables, { enrolment, design, key });
    });
    const participants = read.filter((one) => one !== null);
    const counts = {
      pages: row.pages + 1,
      enrolments: row.enrolments + enrolments.length,
      participants: row.participants + participants.length,
      step: next === null ? ({ kind: 'decide' } as const) : ({ kind: 'read', after: next } as const),
    };
    const after =
      counts.participants > mostParticipants
        ? failed(row, 'TOO_MANY_PARTICIPANTS', now())
        : stepped(row, counts, now());
    const page = await putPage(deps, row, participants);
    const step = { before: row, after };
    const outcome = await commitPage(tables, step, { page, participants, readAt });
    if (outcome === 'committed') return after;
    if (outcome === 'overtaken') throw new Overtaken();
  }
  // Consents or accounts changed each time. The message is delivered again.
  throw new Error('a page changed while it was read');
}

/** One object has the participants of the page. The rows of each participant for each file are another object. */
async function putPage({ files }: ResearchExportDependencies, row: ResearchExport, participants: readonly Read[]) {
  const putAt = row.revision;
  const found = participants.flatMap(({ pseudonym, rows }) =>
    designOf(row).dataClasses.map((name) => ({ pseudonym, name, lines: rows[name] ?? [] })),
  );
  const filled = found.filter(({ lines }) => lines.length > 0);
  await mapWithConcurrency(filled, putAtOnce, ({ pseudonym, name, lines }) =>
    putText(files, rowsKey(row, { pseudonym, putAt }, name), lines.map(lineOf).join('')),
  );
  const drafts = participants.map(({ pseudonym, rows }): Draft => {
    const names = filled.filter((one) => one.pseudonym === pseudonym).map(({ name }) => name);
    return { pseudonym, itself: rows.participants?.[0] ?? {}, files: names };
  });
  if (drafts.length > 0) await putText(files, pageKey(row, row.pages, putAt), drafts.map(lineOf).join(''));
  const definitions = [...new Set(participants.flatMap((one) => one.definitions))].toSorted();
  return { putAt, participants: participants.length, definitions };
}

function lineOf(row: unknown): string {
  return `${JSON.stringify(row)}\n`;
}
