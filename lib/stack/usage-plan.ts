import { CfnApiKey, CfnUsagePlan, CfnUsagePlanKey } from 'aws-cdk-lib/aws-apigateway';
import type { Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/deployments.ts';
import { logicalId } from './names.ts';
import { usagePlan } from './settings.ts';

/**
 * No secret: no client ever sends it, and API Gateway takes it from the authorizer alone. Unique in account and region,
 * and at least 20 characters long, as API Gateway wants it.
 */
export function keyValue(environment: Environment, application: Application, client: string): string {
  return `mobile-health-${environment}-${application}-${client}`;
}

export type UsagePlanProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly clients: Iterable<string>;
  readonly apiId: string;
  readonly stage: string;
};

/**
 * A token bucket for each app client, on the routes for tools and integrations (contract section 8). `mobile-app` has one
 * too: without it, its call of such a route would be a 500 about an unknown key and not the 403 that it is.
 */
export function addUsagePlan(stack: Stack, { environment, application, clients, apiId, stage }: UsagePlanProps): void {
  const plan = new CfnUsagePlan(stack, 'UsagePlan', {
    usagePlanName: `mobile-health-${environment}-${application}`,
    description: 'Tools and integrations: 100 requests a minute for each client',
    apiStages: [{ apiId, stage }],
    throttle: { rateLimit: usagePlan.ratePerSecond, burstLimit: usagePlan.burst },
  });
  for (const client of clients) {
    const value = keyValue(environment, application, client);
    const key = new CfnApiKey(stack, `${logicalId(client)}Key`, { name: value, value, enabled: true });
    new CfnUsagePlanKey(stack, `${logicalId(client)}PlanKey`, {
      usagePlanId: plan.ref,
      keyId: key.ref,
      keyType: 'API_KEY',
    });
  }
}
