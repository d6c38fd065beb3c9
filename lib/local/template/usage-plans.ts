import * as z from 'zod/mini';
import type { UsagePlanModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { TemplateError } from './intrinsics.ts';
import { reference } from './physical.ts';
import { Numeric, ofType, read } from './resources.ts';

const UsagePlan = z.object({
  ApiStages: z._default(z.array(z.object({ ApiId: z.string(), Stage: z.string() })), []),
  Throttle: z.optional(z.object({ RateLimit: Numeric, BurstLimit: Numeric })),
  Quota: z.optional(z.unknown()),
});
const UsagePlanKey = z.object({ KeyId: z.string(), UsagePlanId: z.string() });
const ApiKey = z.object({ Value: z.string(), Enabled: z._default(z.boolean(), false) });

export function usagePlansOf(deployment: Deployment, apiId: string, stageName: string): UsagePlanModel[] {
  const planKeys = ofType(deployment, 'AWS::ApiGateway::UsagePlanKey').map((resource) => read(resource, UsagePlanKey));
  const keys = ofType(deployment, 'AWS::ApiGateway::ApiKey').map((resource) => ({
    id: reference(resource),
    ...read(resource, ApiKey),
  }));
  return ofType(deployment, 'AWS::ApiGateway::UsagePlan').flatMap((resource) => {
    const { ApiStages, Throttle, Quota } = read(resource, UsagePlan);
    if (!ApiStages.some(({ ApiId, Stage }) => ApiId === apiId && Stage === stageName)) return [];
    if (Quota) throw new TemplateError(`${resource.path}: a usage plan runs on this machine without a quota`);
    const id = reference(resource);
    const ofPlan = planKeys.filter(({ UsagePlanId }) => UsagePlanId === id).map(({ KeyId }) => KeyId);
    return {
      throttle: Throttle ? { ratePerSecond: Throttle.RateLimit, burst: Throttle.BurstLimit } : null,
      keys: keys.filter((key) => key.Enabled && ofPlan.includes(key.id)).map(({ Value }) => Value),
    };
  });
}
