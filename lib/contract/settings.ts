import type { PushPlatform } from './push-platforms.ts';

/** What differs between the environments. */
export type Settings = {
  /** The number of the stage's AWS account; commands that change the stage refuse another one. Null: they print which one it is. */
  readonly account: string | null;
  /** Data outlives its stack, nothing is deleted by mistake: retention, deletion and termination protection. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 14 | 30 | 365;
  /** How long the log of blocked requests is kept. It holds addresses. */
  readonly addressRetentionDays: 7 | 14;
  /** The addresses that alarms are sent to. Each has to confirm the first e-mail. Null: no alarms and no dashboard, which cost money and have no reader. */
  readonly alarmEmails: readonly string[] | null;
  /** USD a month, for the whole account: the same addresses hear of 80 % of it, and of a forecast above it. Null: nobody does. */
  readonly monthlyBudget: number | null;
  /** Besides `mobile-app`: each has its own app client in each pool and its own usage-plan key. */
  readonly integrationClients: readonly string[];
  /** TOTP for everyone in a pool of staff, or only for users that set it up. Cognito cannot require it only for some groups. */
  readonly secondFactor: 'ON' | 'OPTIONAL';
  /** The limit for all callers of one API together. An account has 10 000 requests a second for all of its APIs, unless raised. */
  readonly stageThrottle: Throttle;
  /** API Gateway and Lambda hand their spans to X-Ray; it samples one request a second and 5 % of the rest. */
  readonly tracing: boolean;
  /** The platforms whose application `npm run cli -- push-connect` has made. Devices of the other platforms can register, too, but get no push. */
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
  /** The iOS app's bundle id in this environment: APNs' topic. */
  readonly iosBundleId: string;
  /** The sender of mail. Its address belongs to an identity that is verified at SES beforehand (docs/deploying.md): a domain, or that one address. */
  readonly mail: MailSender;
  /** A custom domain for all APIs: `https://{name}/v2`. Null: only API Gateway's own address. */
  readonly customDomain: CustomDomain | null;
  /** Questions of researchers and auditors to exported tables, by Athena (decision 52). Null: nobody can ask any. */
  readonly analytics: AnalyticsSettings | null;
  /** Every log group of the account and region, but those of blocked requests, is copied to another account (docs/deploying.md). Null: nothing is. */
  readonly logArchive: LogArchive | null;
  /** GuardDuty scans agreements' texts and courses' files for malware, and nobody reads one before it is found clean (docs/deploying.md). */
  readonly malwareScan: boolean;
};

type MailSender = {
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

export type LogArchive = {
  /** A destination of CloudWatch Logs in the other account and this region: `arn:aws:logs:eu-central-1:111122223333:destination:archive` */
  readonly destinationArn: string;
};

export type Throttle = { readonly ratePerSecond: number; readonly burst: number };

export type AnalyticsSettings = {
  /** Exports and answers are deleted after so many days, because they may hold data of an erased person. At most 30. */
  readonly keepsDays: number;
  /** A query that reads more is cancelled. This limits the cost of a mistake: Athena bills for the bytes that it reads. */
  readonly mostGigabytes: number;
};
