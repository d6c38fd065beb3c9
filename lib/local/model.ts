import type { Principal, Statement } from './iam.ts';

/** What the local stage runs: the synthesized templates, resolved. `lib/local/template` makes it; nothing else reads CloudFormation. */

export type FunctionModel = {
  /** As `aws lambda` would name it; unique in the stage. */
  readonly name: string;
  readonly arn: string;
  /** The bundle's name and the operation's, in kebab case: `revoke-consent`; `authorizer`. */
  readonly operation: string;
  /** The folder with the bundled code, as the template's asset has it. */
  readonly codeDir: string;
  /** `index.handler`. */
  readonly handler: string;
  /** Only the template's variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly roleArn: string;
};

/** A Lambda REQUEST or TOKEN authorizer. */
export type AuthorizerModel = {
  readonly id: string;
  readonly type: 'TOKEN' | 'REQUEST';
  readonly functionArn: string;
  /** `method.request.header.Authorization`. */
  readonly identitySource: string;
  readonly cacheSeconds: number;
  readonly timeoutMs: number;
};

export type IntegrationModel =
  | { readonly type: 'lambda'; readonly functionArn: string; readonly timeoutMs: number }
  | {
      readonly type: 'mock';
      readonly status: number;
      /** Names without `method.response.header.`, values without their quotes. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    };

export type MethodModel = {
  /** `ANY` stands for all methods that the path does not declare. */
  readonly httpMethod: string;
  /** The resource path: `/v1/users/{id}`, `/{proxy+}`, `/`. */
  readonly path: string;
  readonly authorizerId: string | null;
  readonly apiKeyRequired: boolean;
  readonly integration: IntegrationModel;
};

export type GatewayResponseModel = {
  readonly responseType: string;
  readonly statusCode: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The template for application/json, or null. */
  readonly body: string | null;
};

export type UsagePlanModel = {
  /** Null: no limit. */
  readonly throttle: { readonly ratePerSecond: number; readonly burst: number } | null;
  /** The key values that belong to the plan. */
  readonly keys: readonly string[];
};

export type ApiModel = {
  readonly id: string;
  readonly name: string;
  readonly stageName: string;
  readonly authorizers: readonly AuthorizerModel[];
  readonly methods: readonly MethodModel[];
  readonly gatewayResponses: readonly GatewayResponseModel[];
  /** Stage throttling (`*` `/*` method settings), requests a second. */
  readonly throttle: { readonly ratePerSecond: number; readonly burst: number } | null;
  readonly usagePlans: readonly UsagePlanModel[];
};

/** A WAF rate-based rule that blocks with a custom response, over all the APIs that its web ACL is associated with. */
export type RateLimitModel = {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly apiIds: readonly string[];
  readonly block: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
};

export type TableModel = {
  /** As the template has it: `ConsentRecordsF82AF05A`. */
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** The input of CreateTable. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly timeToLiveAttribute: string | null;
  readonly policy: readonly Statement[];
};

export type PasswordPolicyModel = {
  readonly minimumLength: number;
  readonly needsUppercase: boolean;
  readonly needsLowercase: boolean;
  readonly needsNumbers: boolean;
  readonly needsSymbols: boolean;
  /** How long a temporary password is valid. */
  readonly temporaryDays: number;
};

export type UserPoolClientModel = {
  readonly id: string;
  readonly name: string;
  /** `ALLOW_ADMIN_USER_PASSWORD_AUTH` */
  readonly authFlows: readonly string[];
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  /** How long a refresh token works after it was replaced; null if it is never replaced. */
  readonly rotationGraceSeconds: number | null;
  readonly sessionSeconds: number;
  readonly preventsExistenceErrors: boolean;
  readonly revokesTokens: boolean;
};

export type UserPoolModel = {
  readonly id: string;
  readonly arn: string;
  readonly name: string;
  readonly clients: readonly UserPoolClientModel[];
  readonly groups: readonly string[];
  readonly secondFactor: 'OFF' | 'OPTIONAL' | 'ON';
  /** Users are named by e-mail address, and their user name is their `sub`. */
  readonly signsInByEmail: boolean;
  readonly passwordPolicy: PasswordPolicyModel;
  /** The function that is called before a token is signed. */
  readonly tokenTrigger: TokenTriggerModel | null;
};

export type TokenTriggerModel = {
  readonly functionArn: string;
  /** No permission of the template lets Cognito invoke the function for this pool. */
  readonly isRefused: boolean;
  /** Of one of its three calls. */
  readonly timeoutMs: number;
};

export type QueueModel = {
  /** As the template has it: `PushQueue`. */
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly visibilityMs: number;
  /** The queue for messages that were received `maxReceives` times; null if there is none. */
  readonly redrive: { readonly deadLetterArn: string; readonly maxReceives: number } | null;
};

export type RetentionMode = 'GOVERNANCE' | 'COMPLIANCE';

export type CorsRuleModel = {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAgeSeconds: number | null;
};

export type BucketModel = {
  /** As the template has it: `StreamFailures`. */
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly isVersioned: boolean;
  /** Null if the bucket has no object lock. `retention` is the default for a new version that states none. */
  readonly lock: { readonly retention: { readonly mode: RetentionMode; readonly days: number } | null } | null;
  readonly cors: readonly CorsRuleModel[];
  readonly policy: readonly Statement[];
};

/** What an event on a topic does. */
export type TopicModel = {
  /** As the template has it: `PushEvents`. */
  readonly logicalId: string;
  readonly arn: string;
  /** Whether its policy lets SNS itself publish to it: the events of the platform applications' endpoints. */
  readonly takesEventsOfSns: boolean;
  readonly subscriptions: readonly {
    /** Unique in the stage. */
    readonly path: string;
    readonly functionArn: string;
    /** For a message whose function fails. */
    readonly retries: number;
  }[];
};

type SourceModel = {
  /** Unique in the stage. */
  readonly path: string;
  readonly functionArn: string;
  readonly batchSize: number;
  readonly windowMs: number;
  /** `ReportBatchItemFailures` */
  readonly reportsFailures: boolean;
};

/** An event-source mapping. */
export type StreamSourceModel = SourceModel & {
  readonly kind: 'stream';
  readonly tableName: string;
  readonly startsAt: 'TRIM_HORIZON' | 'LATEST';
  readonly bisects: boolean;
  readonly retries: number;
  readonly maxAgeMs: number;
  /** The bucket for batches that were given up; null if they are lost. */
  readonly failuresArn: string | null;
};
export type QueueSourceModel = SourceModel & {
  readonly kind: 'queue';
  readonly queueArn: string;
  readonly concurrency: number;
};
export type EventSourceModel = StreamSourceModel | QueueSourceModel;

/** A KMS key. */
export type KeyModel = {
  /** As the template has it: `SigningKey`. */
  readonly logicalId: string;
  readonly id: string;
  readonly arn: string;
  readonly description: string;
  /** `ECC_NIST_P256` */
  readonly spec: string;
  /** `SIGN_VERIFY` */
  readonly usage: string;
  readonly isEnabled: boolean;
  /** `alias/…` */
  readonly aliases: readonly string[];
  /** Null leaves the decision to the account's IAM, as KMS's default policy does. */
  readonly policy: readonly Statement[] | null;
};

/** An EventBridge event bus. */
export type EventBusModel = { readonly name: string; readonly arn: string };

/** A rule that invokes a function at a fixed rate. */
export type ScheduleModel = {
  /** Unique in the stage. */
  readonly path: string;
  readonly ruleArn: string;
  readonly everyMs: number;
  readonly functionArn: string;
  /** The function's operation: `erase-accounts`. */
  readonly operation: string;
  /** The JSON that replaces EventBridge's own event. */
  readonly input: string | null;
  /** For an invocation that fails. */
  readonly retries: number;
  /** No permission of the template lets EventBridge invoke the function for this rule. */
  readonly isRefused: boolean;
};

/** An output of a stack, for commands that know no logical ids. */
export type OutputModel = { readonly stack: string; readonly name: string; readonly value: string };

export type StageModel = {
  readonly region: string;
  readonly accountId: string;
  readonly outputs: readonly OutputModel[];
  readonly functions: readonly FunctionModel[];
  readonly apis: readonly ApiModel[];
  readonly rateLimits: readonly RateLimitModel[];
  readonly tables: readonly TableModel[];
  readonly queues: readonly QueueModel[];
  readonly buckets: readonly BucketModel[];
  readonly topics: readonly TopicModel[];
  readonly eventSources: readonly EventSourceModel[];
  readonly keys: readonly KeyModel[];
  readonly eventBuses: readonly EventBusModel[];
  readonly schedules: readonly ScheduleModel[];
  readonly principals: readonly Principal[];
  readonly userPools: readonly UserPoolModel[];
};
