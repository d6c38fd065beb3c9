import * as z from 'zod/mini';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { appVersionPolicyReplaced } from '../audit-actions.ts';
import { putAppVersionPolicy } from '../routes.ts';
import { type Policy, problemsOf } from '../rules/policy.ts';
import { type PolicyKey, readRow, writePolicy } from '../stores/policy-rows.ts';
import type { AppVersionPolicies } from '../tables.ts';

/** Policies as files of operators. What a stage has stays as it is: administrators change it by the API. */

/** @throws an Error that says all that is wrong */
export function readPolicyFile(text: string): Policy {
  const policy = z.parse(putAppVersionPolicy.body, JSON.parse(text));
  const problems = problemsOf(policy);
  if (problems.length > 0) throw new Error(problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
  return policy;
}

type Tables = {
  readonly AppVersionPolicies: AppVersionPolicies<'get' | 'put'>;
  readonly AuditEvents: AuditEvents<'put'>;
};

/** @returns a line that says what was done */
export async function addPolicy(
  tables: Tables,
  { application, platform }: PolicyKey,
  policy: Policy,
  occasion: AuditOccasion,
): Promise<string> {
  const name = `version policy of ${application} on ${platform}`;
  if (await readRow(tables.AppVersionPolicies, { application, platform })) return `${name}: there already`;
  const about = { application, platform, revision: 1, updatedAt: occasion.realNow.toISOString() };
  const audit = {
    ...occasion,
    action: appVersionPolicyReplaced,
    subject: `app-version-policy/${application}/${platform}`,
    before: null,
    after: policy,
    realNow: new Date(),
  };
  const stored = { ...about, updatedBy: occasion.actor, ...policy };
  const isAdded = await writePolicy(tables, { policy: stored, changeId: occasion.requestId, audit });
  return `${name}: ${isAdded ? 'added' : 'there already'}`;
}
