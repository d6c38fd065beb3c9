import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import { preferredLanguage } from '../../../lib/runtime/language.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readMobileSettings } from '../routes.ts';
import { etagOfSettings } from '../rules/change.ts';
import { resolve } from '../rules/resolve.ts';
import { keptSettings } from '../stores/setting-rows.ts';

let kept: ReturnType<typeof keptSettings> | undefined;

export const handler = serve(readMobileSettings)(async ({ query, headers, now, tables, count }) => {
  kept ??= keptSettings(tables.MobileSettings, elapsedMs);
  const { value: all, error } = await kept();
  if (!all) count('settingsUnavailable', error);
  else if (error !== undefined) count('settingsStale', error);
  const [unreadable] = all?.unreadable ?? [];
  if (unreadable !== undefined) count('settingUnreadable', unreadable);
  const phone = {
    platform: query.platform ?? query.os ?? null,
    appVersion: query.appVersion ?? query.version ?? query.app_version ?? null,
    locale: query.locale ?? preferredLanguage(headers['accept-language']),
    deviceId: query.deviceId ?? null,
  };
  const at = now.toISOString();
  const values = (all?.settings ?? []).map(
    (setting) => [setting.settingId, resolve(setting.settingId, setting, phone, at).value] as const,
  );
  const resolved = {
    settings: Object.fromEntries(values),
    reason: all ? ('RESOLVED' as const) : ('SETTINGS_UNAVAILABLE' as const),
  };
  return { etag: etagOfSettings(resolved), body: { ...resolved, resolvedAt: at } };
});
