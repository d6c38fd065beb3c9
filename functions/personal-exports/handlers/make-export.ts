import type { ExportedTable } from '../../../lib/contract/personal-data.ts';
import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { consumeQueue } from '../../../lib/runtime/consume.ts';
import type { ExportReader, ExportWriter } from '../../../lib/runtime/exporter.ts';
import { removeBelow } from '../../../lib/runtime/remove-below.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sendAll, sqs } from '../../../lib/runtime/sqs.ts';
import type { HandlesOf } from '../../../lib/runtime/table-handle.ts';
import { exportedDomains, exportedFiles } from '../../generated/exported-domains.ts';
import { makeExport } from '../consumers.ts';
import { PersonalExportQueue } from '../queues.ts';
import { planOf } from '../rules/plan.ts';
import { partsOf, prefixOf, putPart } from '../stores/export-objects.ts';
import { readExportRow, replaceExport } from '../stores/export-rows.ts';
import { readerOf } from '../stores/exported-rows.ts';
import { readPerson } from '../stores/person.ts';
import { continueExport, giveUp, type World } from '../workflows/continue-export.ts';
import { ownReaders, ownWriters } from '../workflows/own-readers-generated.ts';
import { putZip } from '../workflows/put-zip.ts';

type Message = { readonly userId: string; readonly exportId: string };

/** After which a function that is still at it has ended. */
const laterSeconds = 60;

export const handler = consumeQueue(makeExport)(async ({ body, attributes }, bindings) => {
  const { tables, buckets, queues, where, now, log, remainingMs } = bindings;
  const { environment } = where;
  const named = JSON.parse(body) as Message;
  const files = { s3: s3(), bucket: buckets.PersonalExportFiles };
  const deps = { tables, environment };
  const plan = planOf(exportedDomains, exportedFiles, ({ table, through = table }) =>
    [table, through].every((one) => tableExistsIn(one, environment)),
  );
  const world: World = {
    read: () => readExportRow(tables.PersonalExports, named, now()),
    replace: (before, after) => replaceExport(tables.PersonalExports, before, after),
    removeAll: () => removeBelow(files, prefixOf(named)),
    removeParts: () => removeBelow(files, partsOf(named)),
    sources: async ({ userId, application }) => {
      const person = await readPerson(tables.Users, { userId, application });
      return {
        readRows: ({ table }, after) => readerFor(table)(deps, person, after),
        writeText: ({ by }, after) => writerFor(by)(deps, person, after),
        putPart: (part) => putPart(files, named, part),
      };
    },
    putZip: async (row, progress) => {
      const person = await readPerson(tables.Users, row);
      return putZip(files, { row, progress, plan, person, domains: exportedDomains, files: exportedFiles, now: now() });
    },
    sendOn: (later) => sendAll(queues.PersonalExportQueue, [named], sqs(), later ? laterSeconds : 0),
    now,
    remainingMs,
  };
  try {
    const outcome = await continueExport(plan, world);
    log({ level: 'INFO', message: 'export', outcome });
  } catch (error) {
    const isLast = Number(attributes.ApproximateReceiveCount) >= PersonalExportQueue.maxReceives;
    if (isLast) await giveUp(world);
    throw error;
  }
});

/** Each domain's own part needs no more of a table than this function declares. */
type Tables = HandlesOf<(typeof makeExport)['uses']>;
const readers: Readonly<Record<string, ExportReader<Tables>>> = ownReaders;
const writers: Readonly<Record<string, ExportWriter<Tables>>> = ownWriters;

function readerFor(table: ExportedTable): ExportReader<Tables> {
  return table.by === undefined ? readerOf(table) : named(readers, table.by);
}

function writerFor(by: string): ExportWriter<Tables> {
  return named(writers, by);
}

function named<T>(all: Readonly<Record<string, T>>, name: string): T {
  const found = all[name];
  if (!found) throw new Error(`no domain hands on ${name}`);
  return found;
}
