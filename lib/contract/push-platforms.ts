/**
 * The platform applications of SNS. CloudFormation cannot make them: `npm run push:connect` does, from key files. Their
 * names are fixed, so the stack knows their ARNs in advance.
 */
import type { Environment } from './register.ts';
export const pushPlatforms = {
  'ios/production': { service: 'APNS', name: 'ios' },
  'ios/sandbox': { service: 'APNS_SANDBOX', name: 'ios' },
  // Google has only one service, for development and production.
  android: { service: 'GCM', name: 'android' },
} as const;

export type PushPlatform = keyof typeof pushPlatforms;

/** The platform applications' ARNs; an absent one is not connected in this environment. */
export type PlatformApplications = { readonly [platform in PushPlatform]?: string };

/** A JSON object of `PlatformApplications`. */
export const platformApplicationsVariable = 'PLATFORM_APPLICATIONS';

/** The iOS app's bundle id: APNs' topic. Set for functions that publish. */
export const bundleIdVariable = 'IOS_BUNDLE_ID';

/**
 * A route's or consumer's use of push. `register`: makes, reads, changes and deletes the devices' endpoints. `publish`:
 * sends to them. `read`: asks whether they are enabled. `erase`: deletes them, including those of platforms that are no
 * longer connected.
 */
export type PushAccess = 'register' | 'publish' | 'read' | 'erase';

/** `APNS/mobile-health-dev-ios`: the part after `app/` in the application's ARN, and after `endpoint/` in those of its endpoints. */
export function platformApplicationPath(platform: PushPlatform, environment: Environment): string {
  const { service, name } = pushPlatforms[platform];
  return `${service}/${applicationsPrefix(environment)}${name}`;
}

/** The prefix of the names of all platform applications of the environment. */
export function applicationsPrefix(environment: Environment): string {
  return `mobile-health-${environment}-`;
}

/**
 * The attributes with which a platform application names the topic of its events. The event of a new endpoint is not among
 * them, because we make the endpoints ourselves.
 */
export function endpointEventsTo(topicArn: string) {
  return { EventEndpointUpdated: topicArn, EventEndpointDeleted: topicArn, EventDeliveryFailure: topicArn };
}
