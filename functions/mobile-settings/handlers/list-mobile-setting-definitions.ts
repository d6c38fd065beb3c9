import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listMobileSettingDefinitions } from '../routes.ts';
import { readSettingPage } from '../stores/setting-rows.ts';

export const handler = servePages(
  listMobileSettingDefinitions,
  lambdaWithClock,
)(async ({ page, tables }) => {
  const after = page.after ? String(page.after.settingId) : null;
  const { settings, next } = await readSettingPage(tables.MobileSettings, { limit: page.limit, after });
  return { items: settings, next: next === null ? null : { settingId: next } };
});
