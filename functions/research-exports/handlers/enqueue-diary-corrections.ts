import { consumeStream } from '../../../lib/runtime/consume.ts';
import { sendAll, sqs } from '../../../lib/runtime/sqs.ts';
import { enqueueDiaryCorrections } from '../consumers.ts';
import { diaryCorrectionsIn } from '../rules/diary-correction.ts';

export const handler = consumeStream(enqueueDiaryCorrections)(async (records, { queues, log }) => {
  const corrections = diaryCorrectionsIn(records);
  await sendAll(queues.ResearchExportQueue, corrections, sqs());
  log({ level: 'INFO', message: 'diary corrections', count: corrections.length });
  return null;
});
