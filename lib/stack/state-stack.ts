import type { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnEventBus } from 'aws-cdk-lib/aws-events';
import type { CfnRole } from 'aws-cdk-lib/aws-iam';
import type { CfnKey } from 'aws-cdk-lib/aws-kms';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { CfnTopic } from 'aws-cdk-lib/aws-sns';
import type { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Bucket } from '../contract/buckets.ts';
import type { Queue } from '../contract/queues.ts';
import type { Application, Environment } from '../contract/register.ts';
import { cursorSecret, type Secret } from '../contract/secrets.ts';
import type { SigningKey } from '../contract/signing-keys.ts';
import { type Table, tableExistsIn } from '../contract/tables.ts';
import type { Topic } from '../contract/topics.ts';
import { addAccessLogBucket } from './access-log-bucket.ts';
import { acknowledge } from './acknowledgements.ts';
import type { Watch } from './alarm.ts';
import { addAlarmTopic } from './alarm-topic.ts';
import { addAnalytics } from './analytics.ts';
import { addBackups } from './backup.ts';
import { addBudget } from './budget.ts';
import { addCustomDomain } from './custom-domain.ts';
import { addBuckets, type Buckets } from './evidence-buckets.ts';
import { addFailuresBucket } from './failures-bucket.ts';
import { addIdentity, type Identity } from './identity.ts';
import { addKey } from './key.ts';
import { addExpiryRole } from './ledger.ts';
import { addLogArchive } from './log-archive.ts';
import { productOf, settingsOf } from './product-app.ts';
import { addPushOutput } from './push-platforms.ts';
import { addQueues, type Queues } from './queues.ts';
import { addRateLimit } from './rate-limit.ts';
import { addSecrets, type Secrets } from './secrets.ts';
import { addSigningKeys, type SigningKeys } from './signing-keys.ts';
import { stackProps } from './stack-props.ts';
import { addTables, type TableConstructs } from './tables.ts';
import { addTopics, type Topics } from './topics.ts';

/**
 * Resources that outlive a change of the API: data, users, keys, and the rate limit that the APIs share. The other stacks
 * see this stack as `SharedState`.
 */
export class StateStack extends Stack {
  /** The environment's tables, as they are declared. */
  readonly declared: readonly Table[];
  readonly key: CfnKey;
  /** The environment, and the topic of its alarms. */
  readonly watch: Watch;
  readonly alarms: CfnTopic;
  private readonly tables: TableConstructs;
  private readonly queues: Queues;
  private readonly topics: Topics;
  private readonly signingKeys: SigningKeys;
  private readonly buckets: Buckets;
  private readonly secrets: Secrets;
  /** The role of the one function that may let a ledger's records expire. */
  readonly expiryRole: CfnRole;
  /** The event bus that tells other services what happened. */
  readonly eventBus: CfnEventBus;
  /** How mails go to mailboxes. */
  readonly mailTransport: CfnConfigurationSet;
  /** The stream records that could not be consumed. */
  readonly failures: CfnBucket;
  /** The key that seals the collections' cursors. */
  readonly cursorKey: CfnSecret;
  readonly identities: Readonly<Record<Application, Identity>>;
  readonly webAcl: CfnWebACL;

  /** @param tables all that are declared; the environment has some of them */
  constructor(scope: Construct, environment: Environment, tables: readonly Table[]) {
    super(scope, 'State', stackProps(scope, environment, 'State'));
    const chosen = settingsOf(this, environment);
    this.declared = tables.filter((each) => tableExistsIn(each, environment));
    this.key = addKey(this, environment, chosen);
    this.alarms = addAlarmTopic(this, environment, this.key.attrArn, chosen);
    addBudget(this, chosen);
    this.watch = { environment, hasAlarms: chosen.alarmEmails !== null, topicArn: this.alarms.ref };
    this.expiryRole = addExpiryRole(this);
    const { expiryRole: expiry } = this;
    this.tables = addTables(this, environment, { tables, keyArn: this.key.attrArn, settings: chosen, expiry });
    addBackups(this, this.watch, { keyArn: this.key.attrArn, settings: chosen, tables: this.tables.values() });
    this.queues = addQueues(this, this.watch, this.key.attrArn, chosen);
    this.topics = addTopics(this, this.key.attrArn);
    this.signingKeys = addSigningKeys(this, environment, chosen);
    const bucketHome = {
      keyArn: this.key.attrArn,
      settings: chosen,
      accessLogs: addAccessLogBucket(this, this.key.attrArn, chosen),
    };
    this.buckets = addBuckets(this, bucketHome, this.alarms.ref);
    if (chosen.analytics) addAnalytics(this, `mobile-health-${environment}`, bucketHome, chosen.analytics);
    this.eventBus = new CfnEventBus(this, 'EventBus', {
      name: `mobile-health-${environment}`,
      description: 'What happened, for other services: changes of consent',
    });
    // Without TLS, anybody on the way could read a code. A mailbox without it gets no mail (decision 45).
    this.mailTransport = new CfnConfigurationSet(this, 'MailTransport', {
      name: `mobile-health-${environment}`,
      deliveryOptions: { tlsPolicy: 'REQUIRE' },
    });
    this.failures = addFailuresBucket(this, this.watch, bucketHome);
    this.cursorKey = new CfnSecret(this, cursorSecret.name, {
      description: `Mobile health, ${environment}: ${cursorSecret.does}`,
      kmsKeyId: this.key.attrArn,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    acknowledge(this.cursorKey, 'replacedInSteps');
    this.secrets = addSecrets(this, environment, { keyArn: this.key.attrArn, settings: chosen });
    const applications = Object.keys(productOf(this).product.applications);
    const identities = applications.map((name) => [name, addIdentity(this, environment, name as Application, chosen)]);
    this.identities = Object.fromEntries(identities);
    this.webAcl = addRateLimit(this, this.watch, this.key.attrArn, chosen);
    addPushOutput(this, environment);
    if (chosen.logArchive) addLogArchive(this, environment, chosen.logArchive);
    if (chosen.customDomain) {
      const domain = addCustomDomain(this, chosen.customDomain);
      new CfnOutput(this, 'DomainTarget', { value: domain.attrRegionalDomainName });
    }
    // `destroy` reads the deployed value, since the settings may have changed by then.
    new CfnOutput(this, 'KeepsData', { value: String(chosen.keepsData) });
    new CfnOutput(this, 'RowFormat', { value: String(productOf(this).product.rowFormat) });
  }

  /** The resources on the dashboard, by name. */
  watched() {
    return { tables: [...this.tables], queues: [...this.queues] };
  }

  /** @throws an Error where a route uses what its environment does not have. */
  table({ name }: Table): CfnTable {
    const found = this.tables.get(name);
    if (!found) throw new Error(`there is no table ${name} in this environment`);
    return found;
  }

  topic({ name }: Topic): CfnTopic {
    const found = this.topics.get(name);
    if (!found) throw new Error(`there is no topic ${name}`);
    return found;
  }

  /** The current key, and the earlier ones. */
  signingKey({ name }: SigningKey): { readonly current: CfnKey; readonly earlier: readonly CfnKey[] } {
    const found = this.signingKeys.get(name);
    if (!found) throw new Error(`there is no signing key ${name}`);
    return found;
  }

  bucket({ name }: Bucket): CfnBucket {
    const found = this.buckets.get(name);
    if (!found) throw new Error(`there is no bucket ${name}`);
    return found;
  }

  secret({ name }: Secret): CfnSecret {
    const found = this.secrets.get(name);
    if (!found) throw new Error(`there is no secret ${name}`);
    return found;
  }

  queue({ name }: Queue): CfnQueue {
    const found = this.queues.get(name)?.queue;
    if (!found) throw new Error(`there is no queue ${name}`);
    return found;
  }
}
