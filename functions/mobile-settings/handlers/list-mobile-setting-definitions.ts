import { serve } from '../../../lib/runtime/serve.ts';
import { listMobileSettingDefinitions } from '../routes.ts';
import { readSettingPage } from '../stores/setting-rows.ts';

export const handler = serve(listMobileSettingDefinitions)(async ({ page, tables }) => {
  const { settings, next } = await readSettingPage(tables.MobileSettings, page);
  return { items: settings, next };
});
