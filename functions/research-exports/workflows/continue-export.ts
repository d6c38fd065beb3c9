import { removeBelow } from '../../../lib/runtime/remove-below.ts';
import { claimed, failed, progressed, type ResearchExport } from '../rules/export.ts';
import { draftsOf, prefixOf } from '../stores/export-files.ts';
import { readExportRow, replaceExport } from '../stores/export-rows.ts';
import { decide } from './decide.ts';
import { Overtaken, type Reach } from './reach.ts';
import { readPage } from './read-page.ts';
import { seal } from './seal.ts';
import { writeFile } from './write-file.ts';

/**
 * One step of an export: a page of participants, the decision on small cells, a file, or the manifest. It can break off anywhere:
 * what is put lies under a name that follows from the step, and the step is made after it, on a condition. The next step is
 * another message's, so that what is killed often never uses up the tries of one message.
 */

export type Outcome = 'done' | 'failed' | 'goes on' | 'waits' | 'over' | 'gone';

type Named = Pick<ResearchExport, 'studyId' | 'exportId'>;

/** Clocks of two functions are less apart. */
const leaseSlackMs = 2_000;
/** A large export has many thousand drafts. */
const deletedAtOnce = 32;
/** After which a function that is still at it has ended. */
const laterSeconds = 60;

export async function continueExport(reach: Reach, named: Named): Promise<Outcome> {
  const { client, tables, now, remainingMs } = reach;
  const row = await readExportRow(client, tables.ResearchExports, named);
  if (!row) return 'gone';
  const claim = claimed(row, now(), new Date(now().getTime() + remainingMs() + leaseSlackMs));
  if (claim.outcome === 'over') {
    await removeDrafts(reach, row);
    return 'over';
  }
  if (claim.outcome === 'busy') {
    await reach.send(named, laterSeconds);
    return 'waits';
  }
  const claimedRow = await change(reach, row, claim.after);
  const after = claim.outcome === 'claimed' ? await nextStep(reach, claimedRow) : claimedRow;
  if (after.status === 'running') {
    await reach.send(named, 0);
    return 'goes on';
  }
  await removeDrafts(reach, after);
  return after.status === 'done' ? 'done' : 'failed';
}

async function nextStep(reach: Reach, row: ResearchExport): Promise<ResearchExport> {
  switch (row.step.kind) {
    case 'read':
      return readPage(reach, row);
    case 'decide':
      return change(reach, row, await decide(reach, row));
    case 'write':
      return writeFile(reach, row, row.step, (before, what) =>
        change(reach, before, progressed(before, what, reach.now())),
      );
    case 'seal':
      return change(reach, row, await seal(reach, row));
  }
}

/** Of one that failed nothing stays, of one that is done the files. */
async function removeDrafts({ files }: Reach, row: ResearchExport): Promise<void> {
  await removeBelow(files, row.status === 'done' ? draftsOf(row) : prefixOf(row), deletedAtOnce);
}

/** @throws an Overtaken where another function was first */
async function change({ client, tables }: Reach, before: ResearchExport, after: ResearchExport) {
  if (await replaceExport(client, tables.ResearchExports, before, after)) return after;
  throw new Overtaken();
}

/** It cannot be made: whoever asked for it is told so, and nothing of it stays. */
export async function giveUp(reach: Reach, named: Named): Promise<void> {
  const { client, tables, files, now } = reach;
  const row = await readExportRow(client, tables.ResearchExports, named);
  if (!row || row.status === 'done') return;
  if (row.status !== 'failed') {
    const isFailed = await replaceExport(client, tables.ResearchExports, row, failed(row, 'GIVEN_UP', now()));
    // Another function is at it, and has made a step meanwhile.
    if (!isFailed) return;
  }
  await removeBelow(files, prefixOf(row), deletedAtOnce);
}
