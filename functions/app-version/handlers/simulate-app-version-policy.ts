import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { AppVersionPolicyNotFound } from '../errors.ts';
import { simulateAppVersionPolicy } from '../routes.ts';
import { textOf } from '../rules/check-result.ts';
import { problemsOf } from '../rules/policy.ts';
import { evaluate } from '../rules/verdict.ts';
import { readPolicy } from '../stores/policy-rows.ts';

export const handler = serveWithPrefetch(simulateAppVersionPolicy)({
  prefetch: async ({ params, body, tables }) => body.policy ?? readPolicy(tables.AppVersionPolicies, params),
  respond: async ({ params, body, now, fail }, policy) => {
    const { versions, buildNumber = null, deviceId = null, locale, at = now.toISOString() } = body;
    if (!policy) return fail(AppVersionPolicyNotFound);
    const problems = problemsOf(policy);
    if (problems.length > 0) {
      const issue = { in: 'body', code: 'inconsistent' } as const;
      const issues = problems.map(({ path, message }) => ({ ...issue, path: `policy.${path}`, message }));
      return fail(ValidationFailed, { issues });
    }
    const results = versions.map((appVersion) => {
      const verdict = evaluate(policy, { platform: params.platform, appVersion, buildNumber, deviceId }, at);
      const choose = (available: readonly string[], fallback: string) =>
        chooseLanguage(available, fallback, locale, undefined);
      return { appVersion, ...verdict, ...textOf(policy, verdict, choose) };
    });
    return { at, results };
  },
});
