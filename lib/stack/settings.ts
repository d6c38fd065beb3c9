import type { Environment } from '../contract/deployments.ts';
import type { PushPlatform } from '../contract/push-platforms.ts';

/** What differs between the environments, and the limits that do not. */

export type Settings = {
  /** Data outlives its stack, nothing is deleted by mistake: retention, deletion and termination protection. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 14 | 30 | 365;
  /** Besides `mobile-app`: each has its own app client in both pools and its own usage-plan key. */
  readonly integrationClients: readonly string[];
  /** TOTP for everyone in medinfo's pool, or for who sets it up. It cannot be had for some groups alone. */
  readonly secondFactor: 'ON' | 'OPTIONAL';
  /** Everyone's backstop, for one API. An account has 10 000 a second for all of its APIs, unless raised. */
  readonly stageThrottle: Throttle;
  /** API Gateway and Lambda hand their spans to X-Ray; it samples one request a second and 5 % of the rest. */
  readonly tracing: boolean;
  /**
   * Where `npm run push:connect` has made the platform applications. Devices of the others register all the same, and get
   * no push.
   */
  readonly pushPlatforms: readonly PushPlatform[];
  /** Of the sleep-care app that is installed beside this environment: APNs' topic. */
  readonly iosBundleId: string;
};

export type Throttle = { readonly ratePerSecond: number; readonly burst: number };

export const settings: Record<Environment, Settings> = {
  dev: {
    keepsData: false,
    logRetentionDays: 14,
    integrationClients: ['developer-tools', 'integration'],
    secondFactor: 'OPTIONAL',
    stageThrottle: { ratePerSecond: 100, burst: 200 },
    tracing: true,
    // The local stage has all of them.
    pushPlatforms: ['ios/production', 'ios/sandbox', 'android'],
    iosBundleId: 'com.example.sleepcare.dev',
  },
  staging: {
    keepsData: false,
    logRetentionDays: 30,
    integrationClients: ['developer-tools', 'integration'],
    secondFactor: 'OPTIONAL',
    stageThrottle: { ratePerSecond: 100, burst: 200 },
    tracing: true,
    pushPlatforms: [],
    iosBundleId: 'com.example.sleepcare.staging',
  },
  prod: {
    keepsData: true,
    logRetentionDays: 365,
    integrationClients: ['integration'],
    secondFactor: 'ON',
    stageThrottle: { ratePerSecond: 1000, burst: 2000 },
    tracing: true,
    pushPlatforms: [],
    iosBundleId: 'com.example.sleepcare',
  },
};

/** Contract section 8. */
export const addressLimit = { requests: 100, windowSeconds: 60 } as const;
export const usagePlan: Throttle = { ratePerSecond: 100 / 60, burst: 10 };

/** Contract section 3. */
export const tokens = { accessMinutes: 15, refreshDays: 30, rotationGraceSeconds: 60, authorizerCacheSeconds: 60 };

/** Memory buys CPU: 1769 MB is one vCPU. */
export const sizes = {
  route: { memoryMb: 1024, timeoutSeconds: 10 },
  consumer: { memoryMb: 512, timeoutSeconds: 10 },
  authorizer: { memoryMb: 512, timeoutSeconds: 5 },
  routeNotFound: { memoryMb: 256, timeoutSeconds: 3 },
} as const;

/**
 * Less than the function's own time-out: then the gateway answers 504 TIMEOUT, where a function that Lambda killed would
 * be a 500 (contract section 2).
 */
export const integrationTimeoutMs = sizes.route.timeoutSeconds * 1000 - 500;
