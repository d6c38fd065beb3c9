import type { Environment } from './deployments.ts';

/**
 * The platform applications of SNS, which CloudFormation cannot make: `npm run push:connect` does, from key files. Their
 * names are fixed, so that the stack knows their ARNs beforehand.
 */
export const pushPlatforms = {
  'ios/production': { service: 'APNS', name: 'ios' },
  'ios/sandbox': { service: 'APNS_SANDBOX', name: 'ios' },
  // Google has one service for development and production.
  android: { service: 'GCM', name: 'android' },
} as const;

export type PushPlatform = keyof typeof pushPlatforms;

/** The platform applications' ARNs; what is absent is not connected in this environment. */
export type PlatformApplications = { readonly [platform in PushPlatform]?: string };

/** A JSON object of `PlatformApplications`. */
export const platformApplicationsVariable = 'PLATFORM_APPLICATIONS';

/** The iOS app's bundle id: APNs' topic. For who publishes. */
export const bundleIdVariable = 'IOS_BUNDLE_ID';

/**
 * What a route or consumer does with push: `register` (makes, reads, changes and deletes the devices' endpoints),
 * `publish` (sends to them), `read` (asks whether they are enabled) or `erase` (deletes them, also those of platforms that
 * are connected no longer).
 */
export type PushAccess = 'register' | 'publish' | 'read' | 'erase';

/** `APNS/mobile-health-dev-ios`: what follows `app/` in the application's ARN, and `endpoint/` in those of its endpoints. */
export function platformApplicationPath(platform: PushPlatform, environment: Environment): string {
  const { service, name } = pushPlatforms[platform];
  return `${service}/${applicationsPrefix(environment)}${name}`;
}

/** How the names of all the environment's platform applications begin. */
export function applicationsPrefix(environment: Environment): string {
  return `mobile-health-${environment}-`;
}

/**
 * The attributes by which a platform application names the topic of its events. That an endpoint was made we know: it was
 * our own doing.
 */
export function endpointEventsTo(topicArn: string) {
  return { EventEndpointUpdated: topicArn, EventEndpointDeleted: topicArn, EventDeliveryFailure: topicArn };
}
