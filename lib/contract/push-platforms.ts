/**
 * The platform applications of SNS. CloudFormation cannot make them: `npm run cli -- push-connect` does, from key files. Their
 * names are fixed, so the stack knows their ARNs in advance.
 */
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
