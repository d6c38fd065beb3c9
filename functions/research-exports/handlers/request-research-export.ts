import { serve } from '../../../lib/runtime/serve.ts';
import { sendAll } from '../../../lib/runtime/sqs.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { StudyNotFound } from '../../research/errors.ts';
import { ResearchExportUnderWay, StudyNotExported } from '../errors.ts';
import { requestResearchExport } from '../routes.ts';
import { shown } from '../rules/shown.ts';
import { requestExport } from '../workflows/request-export.ts';

export const handler = serve(requestResearchExport)(async (input) => {
  const { params, caller, application, now, requestId, tables, queues, fail } = input;
  const realNow = new Date();
  const requested = await requestExport({
    tables,
    studyId: params.studyId,
    now,
    realNow,
    once: onceOf(requestResearchExport, { ...input, body: null }, realNow),
    occasion: { application, actor: caller.userId, requestId },
    send: ({ studyId, exportId }) => sendAll(queues.ResearchExportQueue, [{ studyId, exportId }]),
  });
  if (requested.outcome === 'no-study') return fail(StudyNotFound);
  if (requested.outcome === 'not-exported') return fail(StudyNotExported);
  if (requested.outcome === 'under-way') return fail(ResearchExportUnderWay, { exportId: requested.exportId });
  return shown(requested.row, realNow);
});
