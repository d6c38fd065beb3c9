import { randomUUID } from 'node:crypto';
import { removeBelow } from '../../../lib/runtime/remove-below.ts';
import { readStudy } from '../../research/exports.ts';
import type { Studies } from '../../research/tables.ts';
import { claimed, type Design, failed, progressed, type ResearchExport } from '../rules/export.ts';
import { draftsOf, prefixOf } from '../stores/export-files.ts';
import { readExportRow, replaceExport } from '../stores/export-rows.ts';
import { decide } from './decide.ts';
import { Overtaken, type ResearchExportDependencies } from './dependencies.ts';
import { readPage } from './read-page.ts';
import { seal } from './seal.ts';
import { writeFile } from './write-file.ts';

/**
 * One step of an export: a page of participants, the decision on small cells, a file, or the manifest. A step may be interrupted
 * anywhere. It first stores objects, whose keys follow from the step. Then it writes the next step, on a condition. Each step has
 * its own message, so interruptions of several steps do not use up the tries of one message.
 */

export type Outcome = 'done' | 'failed' | 'goes on' | 'waits' | 'over' | 'gone';

type Named = Pick<ResearchExport, 'studyId' | 'exportId'>;

/** More than the clocks of two functions differ. */
const leaseSlackMs = 2_000;
/** A large export has many thousand drafts. */
const deletedAtOnce = 32;
/** After this time another function that works on it has ended. */
const laterSeconds = 60;

export async function continueExport(deps: ResearchExportDependencies, named: Named): Promise<Outcome> {
  const { tables, now, remainingMs } = deps;
  const row = await readExportRow(tables.ResearchExports, named);
  if (!row) return 'gone';
  // A request does not say what is exported: whoever may write requests would have it.
  const design = row.design ?? (await readDesign(tables.Studies, row));
  const until = new Date(now().getTime() + remainingMs() + leaseSlackMs);
  const claim = claimed(row, design, now(), { until, claimId: randomUUID() });
  if (claim.outcome === 'over') {
    await removeDrafts(deps, row);
    return 'over';
  }
  if (claim.outcome === 'busy') {
    await deps.send(named, laterSeconds);
    return 'waits';
  }
  const claimedRow = await change(deps, row, claim.after);
  const after = claim.outcome === 'claimed' ? await nextStep(deps, claimedRow) : claimedRow;
  if (after.status === 'running') {
    await deps.send(named, 0);
    return 'goes on';
  }
  await removeDrafts(deps, after);
  return after.status === 'done' ? 'done' : 'failed';
}

/** @returns null of a study that is not there, or that nobody could join yet */
async function readDesign(table: Studies<'get'>, { studyId }: Named): Promise<Design | null> {
  const study = await readStudy(table, studyId);
  if (!study || study.state === 'draft') return null;
  const { title, agreementId, dataClasses, period, quasiIdentifiers, shiftDates } = study;
  return { title, agreementId, dataClasses, period, quasiIdentifiers, shiftDates };
}

async function nextStep(deps: ResearchExportDependencies, row: ResearchExport): Promise<ResearchExport> {
  switch (row.step.kind) {
    case 'read':
      return readPage(deps, row);
    case 'decide':
      return change(deps, row, await decide(deps, row));
    case 'write':
      return writeFile(deps, row, row.step, (before, what) =>
        change(deps, before, progressed(before, what, deps.now())),
      );
    case 'seal':
      return change(deps, row, await seal(deps, row));
  }
}

/** A failed export leaves no objects. A finished export leaves only its files. */
async function removeDrafts({ files }: ResearchExportDependencies, row: ResearchExport): Promise<void> {
  await removeBelow(files, row.status === 'done' ? draftsOf(row) : prefixOf(row), deletedAtOnce);
}

/** @throws an Overtaken if another function was faster */
async function change({ tables }: ResearchExportDependencies, before: ResearchExport, after: ResearchExport) {
  if (await replaceExport(tables.ResearchExports, before, after)) return after;
  throw new Overtaken();
}

/** Marks the export as failed, so the researcher can see it, and deletes its objects. */
export async function giveUp(deps: ResearchExportDependencies, named: Named): Promise<void> {
  const { tables, files, now } = deps;
  const row = await readExportRow(tables.ResearchExports, named);
  if (!row || row.status === 'done') return;
  if (row.status !== 'failed') {
    const isFailed = await replaceExport(tables.ResearchExports, row, failed(row, 'GIVEN_UP', now()));
    // Another function works on it, and has made a step in the meantime.
    if (!isFailed) return;
  }
  await removeBelow(files, prefixOf(row), deletedAtOnce);
}
