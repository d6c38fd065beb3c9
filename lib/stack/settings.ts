import type { Environment } from '../contract/deployments.ts';
import type { PushPlatform } from '../contract/push-platforms.ts';
import type { AnalyticsSettings } from './analytics.ts';

/** What differs between the environments, and the limits that do not. */

export type Settings = {
  /** Data outlives its stack, nothing is deleted by mistake: retention, deletion and termination protection. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 14 | 30 | 365;
  /** How long the log of blocked requests is kept. It holds addresses. */
  readonly addressRetentionDays: 7 | 14;
  /** The addresses that alarms are sent to. Each has to confirm the first e-mail. */
  readonly alarmEmails: readonly string[];
  /** Besides `mobile-app`: each has its own app client in both pools and its own usage-plan key. */
  readonly integrationClients: readonly string[];
  /** TOTP for everyone in medinfo's pool, or only for users that set it up. Cognito cannot require it only for some groups. */
  readonly secondFactor: 'ON' | 'OPTIONAL';
  /** The limit for all callers of one API together. An account has 10 000 requests a second for all of its APIs, unless raised. */
  readonly stageThrottle: Throttle;
  /** API Gateway and Lambda hand their spans to X-Ray; it samples one request a second and 5 % of the rest. */
  readonly tracing: boolean;
  /** The platforms whose application `npm run push:connect` has made. Devices of the other platforms can register, too, but get no push. */
  readonly pushPlatforms: readonly PushPlatform[];
  /** The generations of each signing key, oldest first. A new one is appended, deployed and published before it signs. None is ever removed. */
  readonly signingKeyGenerations: readonly string[];
  /** The generation that signs. It was published by an earlier deploy. */
  readonly signingGeneration: string;
  /** How long nobody can remove a checkpoint. Under COMPLIANCE not even the account's owner can. */
  readonly evidenceRetention: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE'; readonly days: number };
  /** Backups beside point-in-time recovery. Null: all data can be made again by a deployment. */
  readonly backups: {
    readonly dailyDays: number;
    readonly monthlyDays: number | null;
    /** After this number of days (at least 3) nobody can change the vault's lock. Null: everybody with the IAM permission can. */
    readonly lockChangeableForDays: number | null;
  } | null;
  /**
   * Tables that were restored under another name (docs/restore.md). The key is the suffix of their logical ids. A restored
   * table is first imported beside the table in use, then used in its place.
   */
  readonly restoredTables: Readonly<Record<string, { readonly as: string; readonly isUsed: boolean }>>;
  /** The operations whose new releases first get only a tenth of the requests (lib/stack/canary.ts). */
  readonly canaries: readonly string[];
  /** The bundle id of the sleep-care app for this environment: APNs' topic. */
  readonly iosBundleId: string;
  /** The sender of mail. Its address belongs to an identity that is verified at SES beforehand (docs/deploying.md): a domain, or that one address. */
  readonly mail: MailSender;
  /** A custom domain for both APIs: `https://{name}/de/v1` and `https://{name}/v2`. Null: only API Gateway's own address. */
  readonly customDomain: CustomDomain | null;
  /** Questions of researchers and auditors to exported tables, by Athena (decision 52). Null: nobody can ask any. */
  readonly analytics: AnalyticsSettings | null;
};

export type MailSender = {
  /** `no-reply@example.com` */
  readonly from: string;
  /** `example.com` */
  readonly identity: string;
};

export type CustomDomain = {
  /** `api.example.com` */
  readonly name: string;
  /** A certificate of AWS Certificate Manager for that name, in the stage's region. */
  readonly certificateArn: string;
  /** A hosted zone of Route 53. Null: DNS elsewhere has to point the name to the output `DomainTarget`. */
  readonly hostedZoneId: string | null;
};

export type Throttle = { readonly ratePerSecond: number; readonly burst: number };

export const settings: Record<Environment, Settings> = {
  dev: {
    keepsData: false,
    logRetentionDays: 14,
    addressRetentionDays: 7,
    alarmEmails: [],
    integrationClients: ['developer-tools', 'integration'],
    secondFactor: 'OPTIONAL',
    stageThrottle: { ratePerSecond: 100, burst: 200 },
    tracing: true,
    // The local stage connects all platforms.
    pushPlatforms: ['ios/production', 'ios/sandbox', 'android'],
    signingKeyGenerations: ['2026'],
    signingGeneration: '2026',
    evidenceRetention: { mode: 'GOVERNANCE', days: 1 },
    backups: null,
    restoredTables: {},
    canaries: [],
    iosBundleId: 'com.example.sleepcare.dev',
    mail: { from: 'no-reply@dev.example.com', identity: 'dev.example.com' },
    customDomain: null,
    analytics: null,
  },
  staging: {
    keepsData: false,
    logRetentionDays: 30,
    addressRetentionDays: 7,
    alarmEmails: [],
    integrationClients: ['developer-tools', 'integration'],
    secondFactor: 'OPTIONAL',
    stageThrottle: { ratePerSecond: 100, burst: 200 },
    tracing: true,
    pushPlatforms: [],
    signingKeyGenerations: ['2026'],
    signingGeneration: '2026',
    evidenceRetention: { mode: 'GOVERNANCE', days: 1 },
    backups: { dailyDays: 7, monthlyDays: null, lockChangeableForDays: null },
    restoredTables: {},
    canaries: [],
    iosBundleId: 'com.example.sleepcare.staging',
    mail: { from: 'no-reply@staging.example.com', identity: 'staging.example.com' },
    customDomain: null,
    analytics: null,
  },
  prod: {
    keepsData: true,
    logRetentionDays: 365,
    addressRetentionDays: 14,
    alarmEmails: [],
    integrationClients: ['integration'],
    secondFactor: 'ON',
    stageThrottle: { ratePerSecond: 1000, burst: 2000 },
    tracing: true,
    pushPlatforms: [],
    signingKeyGenerations: ['2026'],
    signingGeneration: '2026',
    // As long as the records that a checkpoint proves: functions/erasure keeps them for ten years after an erasure.
    evidenceRetention: { mode: 'COMPLIANCE', days: 3653 },
    backups: { dailyDays: 35, monthlyDays: 366, lockChangeableForDays: 3 },
    restoredTables: {},
    canaries: ['agree', 'revokeConsent', 'checkAppVersion'],
    iosBundleId: 'com.example.sleepcare',
    mail: { from: 'no-reply@example.com', identity: 'example.com' },
    customDomain: null,
    analytics: null,
  },
};

/** Decision 3. */
export const addressLimit = { requests: 100, windowSeconds: 60 } as const;
export const usagePlan: Throttle = { ratePerSecond: 100 / 60, burst: 10 };

/** Memory buys CPU: 1769 MB is one vCPU. */
export const sizes = {
  route: { memoryMb: 1024, timeoutSeconds: 10 },
  consumer: { memoryMb: 512, timeoutSeconds: 10 },
  /** One vCPU, because a person waits for the result. */
  longConsumer: { memoryMb: 1769, timeoutSeconds: 60 },
  /** These functions read whole tables: they get the longest time that Lambda allows. */
  scheduled: { memoryMb: 1769, timeoutSeconds: 900 },
  authorizer: { memoryMb: 512, timeoutSeconds: 5 },
  routeNotFound: { memoryMb: 256, timeoutSeconds: 3 },
} as const;

/**
 * Shorter than the function's own time-out. So the gateway answers 504 TIMEOUT; a function that Lambda stopped would cause
 * a 500 (docs/conventions.md).
 */
export const integrationTimeoutMs = sizes.route.timeoutSeconds * 1000 - 500;
