import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { AuditEvents } from '../../audit/tables.ts';
import { applications } from '../../product.ts';
import { appVersionPolicyReplaced } from '../audit-actions.ts';
import { putAppVersionPolicy } from '../routes.ts';
import { problemsOf } from '../rules/policy.ts';
import { writePolicy } from '../stores/policy-rows.ts';
import type { AppVersionPolicies } from '../tables.ts';

/** Fixed, so that every start of the local stage has the same past. */
const seededAt = '2026-01-01T00:00:00.000Z';

const platforms = ['ios', 'android'] as const;

/** A development policy for each application and platform; one that is there already stays as it is. */
export async function seedPolicies(tables: {
  readonly AppVersionPolicies: AppVersionPolicies<'get' | 'put'>;
  readonly AuditEvents: AuditEvents<'put'>;
}): Promise<void> {
  for (const application of applications) {
    for (const platform of platforms) {
      const file = new URL(`${application}-${platform}.json`, import.meta.url);
      const policy = z.parse(putAppVersionPolicy.body, JSON.parse(await readFile(file, 'utf8')));
      const problems = problemsOf(policy);
      if (problems.length > 0) throw new Error(`${file.pathname}: ${JSON.stringify(problems)}`);
      const about = { application, platform, revision: 1, updatedAt: seededAt, updatedBy: 'seed' };
      const audit = {
        application: 'medinfo',
        actor: 'seed',
        action: appVersionPolicyReplaced,
        subject: `app-version-policy/${application}/${platform}`,
        requestId: 'seed',
        before: null,
        after: policy,
        realNow: new Date(),
      };
      await writePolicy(tables, { policy: { ...about, ...policy }, changeId: 'seed', audit });
    }
  }
}
