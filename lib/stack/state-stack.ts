import type { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnKey } from 'aws-cdk-lib/aws-kms';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { CfnTopic } from 'aws-cdk-lib/aws-sns';
import type { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Application, Environment } from '../contract/deployments.ts';
import type { QueueName } from '../contract/queues.ts';
import type { TableName } from '../contract/tables.ts';
import type { TopicName } from '../contract/topics.ts';
import { addFailuresBucket } from './failures-bucket.ts';
import { addIdentity, type Identity } from './identity.ts';
import { addKey } from './key.ts';
import { addPushOutput } from './push-platforms.ts';
import { addQueues, type Queues } from './queues.ts';
import { addRateLimit } from './rate-limit.ts';
import { settings } from './settings.ts';
import { stackProps } from './stack-props.ts';
import { addTables, type Tables } from './tables.ts';
import { addTopics, type Topics } from './topics.ts';

/** What outlives a change of the API: data, users, keys, and the limit that both APIs share. */
export class StateStack extends Stack {
  readonly key: CfnKey;
  private readonly tables: Tables;
  private readonly queues: Queues;
  private readonly topics: Topics;
  /** What of the streams could not be consumed. */
  readonly failures: CfnBucket;
  /** Seals the collections' cursors. */
  readonly cursorKey: CfnSecret;
  readonly identities: Readonly<Record<Application, Identity>>;
  readonly webAcl: CfnWebACL;

  constructor(scope: Construct, environment: Environment) {
    super(scope, 'State', stackProps(environment, 'State'));
    const chosen = settings[environment];
    this.key = addKey(this, environment, chosen);
    this.tables = addTables(this, environment, this.key.attrArn, chosen);
    this.queues = addQueues(this, environment, this.key.attrArn, chosen);
    this.topics = addTopics(this, this.key.attrArn);
    this.failures = addFailuresBucket(this, this.key.attrArn, chosen);
    this.cursorKey = new CfnSecret(this, 'CursorKey', {
      description: `Mobile health, ${environment}: seals the cursors of collections`,
      kmsKeyId: this.key.attrArn,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    this.identities = {
      sleepcare: addIdentity(this, environment, 'sleepcare', chosen),
      medinfo: addIdentity(this, environment, 'medinfo', chosen),
    };
    this.webAcl = addRateLimit(this, environment);
    addPushOutput(this, environment);
  }

  /** @throws an Error where a route uses what its environment does not have. */
  table(name: TableName): CfnTable {
    const found = this.tables.get(name);
    if (!found) throw new Error(`there is no table ${name} in this environment`);
    return found;
  }

  topic(name: TopicName): CfnTopic {
    const found = this.topics.get(name);
    if (!found) throw new Error(`there is no topic ${name}`);
    return found;
  }

  queue(name: QueueName): CfnQueue {
    const found = this.queues.get(name);
    if (!found) throw new Error(`there is no queue ${name}`);
    return found;
  }
}
