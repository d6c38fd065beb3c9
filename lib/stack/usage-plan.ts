import { CfnApiKey, CfnUsagePlan, CfnUsagePlanKey } from 'aws-cdk-lib/aws-apigateway';
import type { Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/deployments.ts';
import { mobileApp } from './identity.ts';
import { logicalId } from './names.ts';
import { usagePlan } from './settings.ts';

/**
 * No secret: no client ever sends it, and API Gateway takes it only from the authorizer. Unique in account and region,
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
  /** Of the keys' values, which are unique in an account and region. */
  readonly keyPrefix?: string;
};

/**
 * A token bucket for each integration client, on the routes for tools and integrations (decision 3). The app has a
 * key too: without it, its call of such a route would be a 500 about an unknown key and not the 403 that it is. Its plan
 * has no throttle: the authorizer names a key on every call, and AWS does not say that it meters only the methods that
 * require one. All users of the app together would then have the rate of one client.
 */
export function addUsagePlan(
  stack: Stack,
  { environment, application, clients, apiId, stage, keyPrefix = '' }: UsagePlanProps,
): void {
  const name = `mobile-health-${environment}-${application}`;
  const apiStages = [{ apiId, stage }];
  const metered = new CfnUsagePlan(stack, 'UsagePlan', {
    usagePlanName: name,
    description: 'Tools and integrations: 100 requests a minute for each client',
    apiStages,
    throttle: { rateLimit: usagePlan.ratePerSecond, burstLimit: usagePlan.burst },
  });
  const ofTheApp = new CfnUsagePlan(stack, 'AppUsagePlan', {
    usagePlanName: `${name}-${mobileApp}`,
    description: 'The app itself, without a limit: the key of all its users is one',
    apiStages,
  });
  for (const client of clients) {
    const value = `${keyPrefix}${keyValue(environment, application, client)}`;
    const key = new CfnApiKey(stack, `${logicalId(client)}Key`, { name: value, value, enabled: true });
    new CfnUsagePlanKey(stack, `${logicalId(client)}PlanKey`, {
      usagePlanId: (client === mobileApp ? ofTheApp : metered).ref,
      keyId: key.ref,
      keyType: 'API_KEY',
    });
  }
}
