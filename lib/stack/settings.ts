import type { Environment } from '../contract/deployments.ts';
import type { PushPlatform } from '../contract/push-platforms.ts';
import type { AnalyticsSettings } from './analytics.ts';

/** What differs between the environments, and the limits that do not. */

export type Settings = {
  /** Data outlives its stack, nothing is deleted by mistake: retention, deletion and termination protection. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 14 | 30 | 365;
  /** Of the log of blocked requests, which holds addresses. */
  readonly addressRetentionDays: 7 | 14;
  /** Who hears of alarms; each has to confirm the first e-mail. */
  readonly alarmEmails: readonly string[];
  /** Besides `mobile-app`: each has its own app client in both pools and its own usage-plan key. */
  readonly integrationClients: readonly string[];
  /** TOTP for everyone in medinfo's pool, or only for users that set it up. Cognito cannot require it only for some groups. */
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
  /** Of each signing key, oldest first. A new one is appended, deployed, and published before it signs; none is ever taken away. */
  readonly signingKeyGenerations: readonly string[];
  /** The one of them that signs: everybody knows it from the deploy before. */
  readonly signingGeneration: string;
  /** How long nobody can remove a checkpoint; under COMPLIANCE not even the account's owner. */
  readonly evidenceRetention: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE'; readonly days: number };
  /** Besides point-in-time recovery; without, data that a deployment makes again. */
  readonly backups: {
    readonly dailyDays: number;
    readonly monthlyDays: number | null;
    /** Then nobody can change the vault's lock any more; null leaves that to those whom IAM lets. At least 3. */
    readonly lockChangeableForDays: number | null;
  } | null;
  /**
   * Tables that were restored under another name (docs/restore.md), by what their logical ids then end in: first imported
   * beside the table in use, then used in its place.
   */
  readonly restoredTables: Readonly<Record<string, { readonly as: string; readonly isUsed: boolean }>>;
  /** The operations whose releases a tenth of the requests tries first (lib/stack/canary.ts). */
  readonly canaries: readonly string[];
  /** Of the sleep-care app that is installed beside this environment: APNs' topic. */
  readonly iosBundleId: string;
  /**
   * Who mail comes from: an address of an identity that is verified at SES beforehand (docs/deploying.md), which is a domain or that
   * very address.
   */
  readonly mail: MailSender;
  /** A custom domain for both APIs: `https://{name}/de/v1` and `https://{name}/v2`. Null: only API Gateway's own address. */
  readonly customDomain: CustomDomain | null;
  /** Researchers' and auditors' questions to exported tables, by Athena (decision 52); null: none can be asked. */
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
  /** Of AWS Certificate Manager, in the stage's region, for that name. */
  readonly certificateArn: string;
  /** Of Route 53; null: the name is pointed to the output `DomainTarget` elsewhere. */
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
    // The local stage has all of them.
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
    // As long as the records that it vouches for: functions/erasure keeps them for ten years after an erasure.
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
  /** One vCPU for what a person waits for. */
  longConsumer: { memoryMb: 1769, timeoutSeconds: 60 },
  /** A walk over all of a table: as long as Lambda lets it. */
  scheduled: { memoryMb: 1769, timeoutSeconds: 900 },
  authorizer: { memoryMb: 512, timeoutSeconds: 5 },
  routeNotFound: { memoryMb: 256, timeoutSeconds: 3 },
} as const;

/**
 * Less than the function's own time-out: then the gateway answers 504 TIMEOUT, where a function that Lambda killed would
 * be a 500 (docs/conventions.md).
 */
export const integrationTimeoutMs = sizes.route.timeoutSeconds * 1000 - 500;
