import { dynamo } from '../../../lib/runtime/clients.ts';
import { consumeQueue } from '../../../lib/runtime/consume.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { noticeAmendments } from '../consumers.ts';
import type { Amendment } from '../rules/amendment.ts';
import { isConcernedBy } from '../rules/notice.ts';
import { putNotices } from '../stores/notices.ts';

export const handler = consumeQueue(noticeAmendments)(async ({ body }, { tables, log }) => {
  const { userId, at } = JSON.parse(body) as Amendment;
  const occasion = { reason: 'amended', at } as const;
  const isConcerned = (content: Parameters<typeof isConcernedBy>[0]) => isConcernedBy(content, at);
  const notices = await putNotices(dynamo(), tables, { userId, studyId: null }, occasion, isConcerned);
  log({ level: 'INFO', message: 'amended answer', notices });
});

await initialize(noticeAmendments);
