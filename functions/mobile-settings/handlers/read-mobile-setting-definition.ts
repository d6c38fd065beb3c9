import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { MobileSettingNotFound, MobileSettingUnreadable } from '../errors.ts';
import { readMobileSettingDefinition } from '../routes.ts';
import { etagOfRow, isUnreadable, readableSetting, readRow } from '../stores/setting-rows.ts';

export const handler = serveWithPrefetch(readMobileSettingDefinition)({
  prefetch: ({ params, tables }) => readRow(tables.MobileSettings, params.settingId),
  respond: async ({ fail }, row) => {
    if (isUnreadable(row)) return fail(MobileSettingUnreadable, { etag: etagOfRow(row) });
    const setting = readableSetting(row);
    return setting ? { etag: etagOf(setting.revision), body: setting } : fail(MobileSettingNotFound);
  },
});
