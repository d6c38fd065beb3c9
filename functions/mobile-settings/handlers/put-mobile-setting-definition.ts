import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { changedFields, etagOf, preconditionOf } from '../../audit/rules.ts';
import { mobileSettingDefined, mobileSettingReplaced } from '../audit-actions.ts';
import { MobileSettingLimitReached } from '../errors.ts';
import { putMobileSettingDefinition } from '../routes.ts';
import { auditedFields } from '../rules/change.ts';
import { checkedDefinition } from '../rules/definition.ts';
import { hasRoom } from '../rules/room.ts';
import { readableSetting, readDefinitions, readRow, revisionOf, writeRow } from '../stores/setting-rows.ts';

export const handler = serveWithPrefetch(putMobileSettingDefinition)({
  prefetch: ({ params, tables }) => readRow(tables.MobileSettings, params.settingId),
  respond: async ({ params, headers, body, caller, application, now, requestId, tables, fail }, row) => {
    const { definition, problems } = checkedDefinition(body, row?.type ?? null);
    if (!definition) {
      return fail(ValidationFailed, {
        issues: problems.slice(0, 100).map((problem) => ({ in: 'body', code: 'inconsistent', ...problem })),
      });
    }
    const isThere = row !== null && row.definition !== null;
    const precondition = preconditionOf(isThere ? revisionOf(row) : 0, {
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
    });
    if (precondition === 'missing') return fail(PreconditionRequired);
    if (precondition === 'failed') return fail(PreconditionFailed);
    const { settingId } = params;
    const text = JSON.stringify(definition);
    // Several at once can come to some more, which does no harm.
    if (!hasRoom(await readDefinitions(tables.MobileSettings), { settingId, definition: text })) {
      return fail(MobileSettingLimitReached);
    }
    const stamp = { revision: revisionOf(row) + 1, updatedAt: now.toISOString(), updatedBy: caller.userId };
    const before = readableSetting(row);
    const audit = {
      application,
      actor: caller.userId,
      action: isThere ? mobileSettingReplaced : mobileSettingDefined,
      subject: `mobile-setting/${settingId}`,
      requestId,
      ...changedFields(before && auditedFields(before), auditedFields(definition)),
      realNow: new Date(),
    };
    const written = {
      ...{ settingId, ...stamp, changeId: requestId },
      ...{ type: definition.schema.type, definition: text },
    };
    const isWritten = await writeRow(tables, written, audit);
    if (!isWritten) return fail(PreconditionFailed);
    return { etag: etagOf(stamp.revision), body: { ...body, settingId, ...stamp } };
  },
});
