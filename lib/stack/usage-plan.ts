import { CfnApiKey, CfnUsagePlan, CfnUsagePlanKey } from 'aws-cdk-lib/aws-apigateway';
import type { Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/register.ts';
import { mobileApp } from './identity.ts';
import { logicalId } from './names.ts';
import { usagePlan } from './settings.ts';

/**
 * Not a secret: no client ever sends it, and API Gateway takes it only from the authorizer. API Gateway requires it to be
 * unique in account and region, and at least 20 characters long.
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
  /** A part of the keys' values, which must be unique in an account and region. */
  readonly keyPrefix?: string;
};

/**
 * A token bucket for each integration client, on the routes for tools and integrations (decision 3). The app has a key,
 * too: without it, its call of such a route would cause a 500 about an unknown key instead of the correct 403. The app's
 * plan has no throttle. The authorizer names a key on every call, and AWS does not document that only methods that require
 * a key are metered. With a throttle all users of the app might share the rate of one client.
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
