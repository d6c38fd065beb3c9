import { Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/**
 * Which findings of the rule packs (AwsSolutions, HIPAA Security) stand, and why: the only place where one is accepted.
 * What makes a resource acknowledges them on that resource; `test/stack/nag.slow.test.ts` runs the packs, and fails on a finding
 * that no line here names and on a line that no finding needs. Decision 27.
 */

type Acknowledgement = { readonly rules: readonly string[]; readonly reason: string };

export const acknowledgements = {
  outsideVpc: {
    rules: ['HIPAA.Security-LambdaInsideVPC'],
    reason:
      'Nothing of ours is in a network: the function reaches public AWS endpoints alone, by TLS and as IAM allows its role. A VPC would add ways to fail and close nothing.',
  },
  sharedConcurrency: {
    rules: ['HIPAA.Security-LambdaConcurrency'],
    reason:
      "A reservation would take from the others what it leaves unused. Load is bounded before: by WAF, the stage's throttle, the usage plan and the queue's own concurrency.",
  },
  failsToItsCaller: {
    rules: ['HIPAA.Security-LambdaDLQ'],
    reason:
      'Called synchronously: Lambda puts asynchronous events alone into a dead-letter queue; here the caller has the error.',
  },
  failsToItsSource: {
    rules: ['HIPAA.Security-LambdaDLQ'],
    reason:
      "Read by an event-source mapping: what fails goes to the queue's own dead-letter queue, or whole into the bucket of the stream's failures. Alarms watch both.",
  },
  lostWithoutHarm: {
    rules: ['HIPAA.Security-LambdaDLQ'],
    reason:
      'Its event holds nothing that is not found again: the next run by the clock does what this one left, and the next push finds a dead endpoint. An alarm watches its errors.',
  },
  policyOfOneRole: {
    rules: ['HIPAA.Security-IAMNoInlinePolicy'],
    reason:
      'The policy follows from the declaration of one function, fits no other role, and is deleted with it; a managed policy could be attached elsewhere and costs one of 500 resources.',
  },
  maintainedByAws: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    ],
    reason:
      'The policy that API Gateway documents for its log role and checks the role for; only API Gateway can assume it.',
  },
  backupByAws: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    ],
    reason:
      'The policy that AWS Backup documents for its role and extends as tables gain features; only AWS Backup can assume it.',
  },
  validatedByItsFunction: {
    rules: ['AwsSolutions-APIG2'],
    reason:
      "Each function validates path, query, headers and body by the route's declaration, more strictly than a gateway's model, and answers 400 with every issue (docs/conventions.md).",
  },
  noExecutionLogs: {
    rules: ['AwsSolutions-APIG6', 'HIPAA.Security-APIGWExecutionLoggingEnabled'],
    reason:
      "Execution logs hold bearer tokens, addresses and bodies, in a group without our key and retention. Access logs and the functions' own lines tell of every request.",
  },
  tracedByItsFunctions: {
    rules: ['HIPAA.Security-APIGWXrayEnabled'],
    reason:
      "The gateway's own segments hold the caller's address and the whole URL for 30 days, without our key. Every function behind it is traced.",
  },
  nothingToCache: {
    rules: ['HIPAA.Security-APIGWCacheEnabledAndEncrypted'],
    reason: "Answers are a person's own and say no-store: a shared cache could only show them to another.",
  },
  noBackendToProve: {
    rules: ['HIPAA.Security-APIGWSSLEnabled'],
    reason:
      'A client certificate proves the gateway to an HTTP backend. Behind this one are Lambda functions, called as IAM allows.',
  },
  passphrases: {
    rules: ['AwsSolutions-COG1'],
    reason: 'At least 12 characters and no rule of composition, as NIST SP 800-63B section 5.1.1.2 recommends.',
  },
  noSecondFactorForPatients: {
    rules: ['AwsSolutions-COG2'],
    reason:
      'A patient who has no second device at hand must reach the therapy: the second factor is for who sets it up. Physicians and staff have a pool of their own, which demands it in prod.',
  },
  noPeopleInHere: {
    rules: ['AwsSolutions-COG2'],
    reason:
      'Only in dev and staging, where nobody is a patient and tests sign in: a second factor is for who sets it up.',
  },
  signInBehindOurApi: {
    rules: ['AwsSolutions-COG8'],
    reason:
      'Sign-in is possible through our API alone, where the limit of an address holds. The plus plan would profile the devices and places of patients, at a price for each of them.',
  },
  replacedByADeploy: {
    rules: ['AwsSolutions-SMG4', 'HIPAA.Security-SecretsManagerRotationEnabled'],
    reason:
      'No credential: it seals the cursors of collections. Functions are given it by a deploy, so that a rotation without one would split them; a new one costs a client one page.',
  },
  neverReplaced: {
    rules: ['AwsSolutions-SMG4', 'HIPAA.Security-SecretsManagerRotationEnabled'],
    reason:
      'No credential: what was hashed or sealed with it is found and read by it alone, so that another one in its place would make all of that worthless.',
  },
  oneRegion: {
    rules: ['HIPAA.Security-S3BucketReplicationEnabled'],
    reason:
      'Health data stay in their region, whose S3 keeps each object in three zones; versions and Object Lock, where there is evidence, stand against deletion.',
  },
  goneIsGone: {
    rules: ['HIPAA.Security-S3BucketVersioningEnabled'],
    reason:
      "A person's export, or one of tables, which is made again from the tables at any time. What is deleted has to go whole: a version that stays behind would be what was to go.",
  },
  logDelivery: {
    rules: ['HIPAA.Security-S3DefaultEncryptionKMS'],
    reason:
      "S3 delivers access logs only to a bucket under its own keys (S3 user guide, 'Enabling Amazon S3 server access logging'); it holds no object of any person's.",
  },
  thrownAway: {
    rules: ['HIPAA.Security-DynamoDBInBackupPlan'],
    reason: 'Only in dev and staging, whose data go with their stack; point-in-time recovery is on.',
  },
} as const satisfies Record<string, Acknowledgement>;

export type AcknowledgementName = keyof typeof acknowledgements;

export function acknowledge(construct: IConstruct, ...names: AcknowledgementName[]): void {
  for (const name of names) {
    const { rules, reason } = acknowledgements[name];
    Validations.of(construct).acknowledge(...rules.map((id) => ({ id, reason })));
  }
}
