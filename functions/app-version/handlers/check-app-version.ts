import type { Application } from '../../../lib/contract/register.ts';
import { type StaleOnError, staleOnError } from '../../../lib/runtime/cached.ts';
import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { checkAppVersion } from '../routes.ts';
import { checkResult, etagOfResult } from '../rules/check-result.ts';
import type { Platform, StoredPolicy } from '../rules/policy.ts';
import { evaluate } from '../rules/verdict.ts';
import { policyMs, readPolicy } from '../stores/policy-rows.ts';
import type { AppVersionPolicies } from '../tables.ts';

/** By platform: a function serves one application. */
const policies = new Map<string, () => Promise<StaleOnError<StoredPolicy | null>>>();

export const handler = serve(checkAppVersion)(async ({ query, headers, application, now, tables, count }) => {
  const platform = query.platform ?? query.os ?? null;
  const { value: policy, error } = platform ? await policyOf(tables.AppVersionPolicies, application, platform) : none;
  const app = {
    platform,
    appVersion: query.appVersion ?? query.version ?? query.app_version ?? null,
    buildNumber: query.buildNumber ?? null,
    deviceId: query.deviceId ?? null,
  };
  const verdict = evaluate(policy, app, now.toISOString());
  if (verdict.reason === 'VERSION_NOT_STATED') count('versionNotStated');
  if (verdict.reason === 'POLICY_UNAVAILABLE') count('policyUnavailable', error);
  else if (error !== undefined) count('policyStale', error);
  const result = checkResult(policy, verdict, (available, fallback) =>
    chooseLanguage(available, fallback, query.locale, headers['accept-language']),
  );
  return { etag: etagOfResult(result), body: { ...result, checkedAt: now.toISOString() } };
});

const none: StaleOnError<StoredPolicy | null> = { value: null };

function policyOf(table: AppVersionPolicies<'get'>, application: Application, platform: Platform) {
  const load = () => readPolicy(table, { application, platform }, false);
  const policy = policies.get(platform) ?? staleOnError(load, policyMs, elapsedMs);
  policies.set(platform, policy);
  return policy();
}
