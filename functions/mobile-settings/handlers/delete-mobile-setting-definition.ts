import { PreconditionFailed, PreconditionRequired } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { preconditionOf } from '../../audit/rules.ts';
import { mobileSettingDeleted } from '../audit-actions.ts';
import { MobileSettingNotFound } from '../errors.ts';
import { deleteMobileSettingDefinition } from '../routes.ts';
import { auditedFields } from '../rules/change.ts';
import { readableSetting, readRow, revisionOf, writeRow } from '../stores/setting-rows.ts';

export const handler = serveWithPrefetch(deleteMobileSettingDefinition)({
  prefetch: ({ params, tables }) => readRow(tables.MobileSettings, params.settingId),
  respond: async ({ params, headers, caller, application, now, requestId, tables, fail }, row) => {
    if (!row || row.definition === null) return fail(MobileSettingNotFound);
    const precondition = preconditionOf(revisionOf(row), { ifMatch: headers['if-match'], ifNoneMatch: undefined });
    if (precondition === 'missing') return fail(PreconditionRequired);
    if (precondition === 'failed') return fail(PreconditionFailed);
    const { settingId } = params;
    const before = readableSetting(row);
    const audit = {
      application,
      actor: caller.userId,
      action: mobileSettingDeleted,
      subject: `mobile-setting/${settingId}`,
      requestId,
      before: before && auditedFields(before),
      after: null,
      realNow: new Date(),
    };
    const deleted = {
      // One that cannot be read may have no type.
      ...{ settingId, type: row.type ?? null, definition: null },
      ...{ revision: revisionOf(row) + 1, changeId: requestId, updatedAt: now.toISOString(), updatedBy: caller.userId },
    };
    return (await writeRow(tables, deleted, audit)) ? { settingId, deleted: true } : fail(PreconditionFailed);
  },
});
