import { Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/**
 * The accepted findings of the rule packs (AwsSolutions, HIPAA Security), each with its reason. No finding is accepted
 * anywhere else. The code that makes a resource acknowledges the findings on that resource. `test/stack/nag.slow.test.ts`
 * runs the packs: it fails on a finding that is not in this list, and on an entry that no finding needs. Decision 27.
 */

type Acknowledgement = { readonly rules: readonly string[]; readonly reason: string };

export const acknowledgements = {
  outsideVpc: {
    rules: ['HIPAA.Security-LambdaInsideVPC'],
    reason:
      'None of our resources is in a network: the function reaches only public AWS endpoints, by TLS and as IAM ' +
      'allows its role. A VPC would add ways to fail, for the one gain that stolen code could not call other hosts: decision 67.',
  },
  sharedConcurrency: {
    rules: ['HIPAA.Security-LambdaConcurrency'],
    reason:
      'A reservation would take unused concurrency away from the other functions. Load is limited before: by WAF, ' +
      "the stage's throttle, the usage plan and the queue's own concurrency.",
  },
  failsToItsCaller: {
    rules: ['HIPAA.Security-LambdaDLQ'],
    reason:
      'Called synchronously: Lambda puts only asynchronous events into a dead-letter queue; here the caller gets the error.',
  },
  failsToItsSource: {
    rules: ['HIPAA.Security-LambdaDLQ'],
    reason:
      "Read by an event-source mapping: a failed message goes to the queue's own dead-letter queue, and failed " +
      "changes of a stream go to the bucket of the stream's failures. Alarms watch both.",
  },
  lostWithoutHarm: {
    rules: ['HIPAA.Security-LambdaDLQ'],
    reason:
      'No event is lost for good: the next scheduled run does the work that this one left, and the next push ' +
      "finds a dead endpoint. An alarm watches the function's errors.",
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
      'API Gateway documents this policy for its log role and checks that the role has it; only API Gateway can ' +
      'assume the role.',
  },
  backupByAws: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    ],
    reason:
      'AWS Backup documents this policy for its role and extends it when tables get new features; only AWS Backup ' +
      'can assume the role.',
  },
  validatedByItsFunction: {
    rules: ['AwsSolutions-APIG2'],
    reason:
      "Each function validates path, query, headers and body by the route's declaration, more strictly than a gateway's model, and answers 400 with every issue (docs/conventions.md).",
  },
  noExecutionLogs: {
    rules: ['AwsSolutions-APIG6', 'HIPAA.Security-APIGWExecutionLoggingEnabled'],
    reason:
      'Execution logs contain bearer tokens, addresses and bodies, in a group without our key and retention. ' +
      "Access logs and the functions' own lines show every request.",
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
      "A client certificate proves the gateway's identity to an HTTP backend. This gateway has only Lambda " +
      'functions behind it, and calls them as IAM allows.',
  },
  passphrases: {
    rules: ['AwsSolutions-COG1'],
    reason: 'At least 12 characters and no rule of composition, as NIST SP 800-63B section 5.1.1.2 recommends.',
  },
  noSecondFactorForPatients: {
    rules: ['AwsSolutions-COG2'],
    reason:
      'A patient without a second device must still reach the therapy: only patients that set up a second factor ' +
      'need it. Physicians and staff have their own pool, which requires it in prod.',
  },
  noPeopleInHere: {
    rules: ['AwsSolutions-COG2'],
    reason:
      'Only in dev and staging, where there are no patients and tests sign in: only users that set up a second ' +
      'factor need it.',
  },
  signInBehindOurApi: {
    rules: ['AwsSolutions-COG8'],
    reason:
      'Sign-in is possible only through our API, which limits the attempts of an address. The plus plan would ' +
      'profile the devices and places of patients, at a price for each patient.',
  },
  replacedInSteps: {
    rules: ['AwsSolutions-SMG4', 'HIPAA.Security-SecretsManagerRotationEnabled'],
    reason:
      'Not a credential. A command replaces a key in three steps, and the old key goes only after the longest life of ' +
      'what was made with it (decision 61): a rotation by a schedule of days would lose data.',
  },
  oneRegion: {
    rules: ['HIPAA.Security-S3BucketReplicationEnabled'],
    reason:
      'Health data stay in their region, where S3 stores each object in three zones. Versions protect against ' +
      'deletion, and Object Lock protects the evidence.',
  },
  goneIsGone: {
    rules: ['HIPAA.Security-S3BucketVersioningEnabled'],
    reason:
      "A person's export, or an export of tables, can be made again from the tables at any time. An erasure must delete it " +
      'at once and completely: an old version would keep the data that must go.',
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
