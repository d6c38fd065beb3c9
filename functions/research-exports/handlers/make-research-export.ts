import { consumeQueue } from '../../../lib/runtime/consume.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sendAll, sqs } from '../../../lib/runtime/sqs.ts';
import { assertMaySign, keptKeys } from '../../receipts/exports.ts';
import { ResearchExportQueue } from '../../research/queues.ts';
import type { Concern } from '../../research/rules.ts';
import { makeResearchExport } from '../consumers.ts';
import { continueExport, giveUp } from '../workflows/continue-export.ts';
import type { ResearchExportDependencies, Step } from '../workflows/dependencies.ts';
import { noteConcern } from '../workflows/put-concern.ts';

export const handler = consumeQueue(makeResearchExport)(async ({ body, attributes }, bindings) => {
  const { tables, buckets, queues, signingKeys, where, now, log, remainingMs } = bindings;
  const send: ResearchExportDependencies['send'] = (message, delaySeconds) =>
    sendAll(queues.ResearchExportQueue, [message], sqs(), delaySeconds);
  const named = JSON.parse(body) as Step | Concern;
  if ('occasion' in named) {
    const notices = await noteConcern({ tables, send }, named);
    return log({ level: 'INFO', message: 'research export notices', notices });
  }
  const deps: ResearchExportDependencies = {
    files: { s3: s3(), bucket: buckets.ResearchExportFiles },
    tables,
    kms: kms(),
    keyArn: signingKeys.ResearchManifestKey,
    maySign: () =>
      assertMaySign({
        kms: kms(),
        keyArn: signingKeys.ResearchManifestKey,
        keys: keptKeys({ buckets, signingKeys }).including,
      }),
    environment: where.environment,
    send,
    now,
    remainingMs,
  };
  try {
    const outcome = await continueExport(deps, named);
    log({ level: 'INFO', message: 'research export', outcome });
  } catch (error) {
    const isLast = Number(attributes.ApproximateReceiveCount) >= ResearchExportQueue.maxReceives;
    if (isLast) await giveUp(deps, named);
    throw error;
  }
});
