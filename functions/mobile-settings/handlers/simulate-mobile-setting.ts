import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { MobileSettingNotFound, MobileSettingUnreadable } from '../errors.ts';
import { simulateMobileSetting } from '../routes.ts';
import { checkedDefinition } from '../rules/definition.ts';
import { placeOf, resolve } from '../rules/resolve.ts';
import { etagOfRow, isUnreadable, readableSetting, readRow } from '../stores/setting-rows.ts';

export const handler = serveWithPrefetch(simulateMobileSetting)({
  prefetch: ({ params, tables }) => readRow(tables.MobileSettings, params.settingId),
  respond: async ({ params: { settingId }, body, now, fail }, row) => {
    const draft = body.definition && checkedDefinition(body.definition, row?.type ?? null);
    if (draft && draft.definition === null) {
      const issues = draft.problems.slice(0, 100).map(({ path, message }) => {
        return { in: 'body', code: 'inconsistent', path: `definition.${path}`, message } as const;
      });
      return fail(ValidationFailed, { issues });
    }
    if (!draft && isUnreadable(row)) return fail(MobileSettingUnreadable, { etag: etagOfRow(row) });
    const definition = draft ? draft.definition : readableSetting(row);
    if (!definition) return fail(MobileSettingNotFound);
    const at = body.at ?? now.toISOString();
    const results = body.phones.map((phone) => {
      const { value, because, ruleId, steps } = resolve(settingId, definition, phone, at);
      return { value, because, ruleId, rolloutPlace: placeOf(settingId, phone), steps: [...steps] };
    });
    return { at, results };
  },
});
