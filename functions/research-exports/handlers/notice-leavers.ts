import { dynamo } from '../../../lib/runtime/clients.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { noticeLeavers } from '../consumers.ts';
import { leaverIn } from '../rules/leaver.ts';
import { putNotices } from '../stores/notices.ts';

export const handler = consumeStream(noticeLeavers)(async (records, { tables, log }) => {
  let notices = 0;
  for (const record of records) {
    const leaver = leaverIn(record);
    if (leaver) notices += await putNotices(dynamo(), tables, leaver, leaver.occasion);
  }
  log({ level: 'INFO', message: 'leavers', notices });
  return null;
});

await initialize(noticeLeavers);
