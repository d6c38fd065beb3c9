import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { questions } from '../analytics/questions.ts';
import { acknowledge } from './acknowledgements.ts';
import { logicalId } from './names.ts';
import { addPrivateBucket, type BucketHome } from './private-bucket.ts';

/** What `npm run export-tables` and `npm run ask` need: a bucket for exports and answers, and Athena's side. Decision 52. */

export type AnalyticsSettings = {
  /** Exports and answers are deleted after so many days: in them an erased person would live on. At most 30. */
  readonly keepsDays: number;
  /** A question that reads more is cancelled, so that a mistake cannot cost more: Athena bills by what it reads. */
  readonly mostGigabytes: number;
};

/** @param name of the work group, and with underscores of the database: `mobile-health-dev` */
export function addAnalytics(
  stack: Stack,
  name: string,
  home: BucketHome,
  { keepsDays, mostGigabytes }: AnalyticsSettings,
): void {
  if (!(keepsDays >= 1 && keepsDays <= 30)) throw new Error('analytics: exports are kept for 1 to 30 days');
  const bucket = addPrivateBucket(stack, 'Analytics', home, {
    versioningConfiguration: { status: 'Suspended' },
    lifecycleConfiguration: {
      rules: [
        {
          id: 'Expire',
          status: 'Enabled',
          expirationInDays: keepsDays,
          abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
        },
      ],
    },
  });
  acknowledge(bucket, 'goneIsGone');
  const databaseName = name.replaceAll('-', '_');
  const database = new CfnDatabase(stack, 'AnalyticsDatabase', {
    catalogId: Aws.ACCOUNT_ID,
    databaseInput: {
      name: databaseName,
      description: 'Exported tables, and views over them: `npm run export-tables`',
    },
  });
  const workGroup = new CfnWorkGroup(stack, 'AnalyticsWorkGroup', {
    name,
    description: 'Questions to the exported tables',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      // Nobody's own settings count: answers are as protected as what they are made of.
      enforceWorkGroupConfiguration: true,
      publishCloudWatchMetricsEnabled: true,
      bytesScannedCutoffPerQuery: mostGigabytes * 1e9,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      resultConfiguration: {
        outputLocation: `s3://${bucket.ref}/answers/`,
        expectedBucketOwner: Aws.ACCOUNT_ID,
        encryptionConfiguration: { encryptionOption: 'SSE_KMS', kmsKey: home.keyArn },
      },
    },
  });
  for (const { id, asks, sql } of questions) {
    const query = new CfnNamedQuery(stack, `${logicalId(id)}Question`, {
      name: `${name}-${id}`,
      description: asks,
      database: databaseName,
      workGroup: name,
      queryString: sql,
    });
    query.addDependency(database);
    query.addDependency(workGroup);
  }
  // Names and not references: the local stage has neither, and reads the same template.
  const outputs = {
    AnalyticsBucketName: bucket.ref,
    AnalyticsDatabaseName: databaseName,
    AnalyticsWorkGroupName: name,
    AnalyticsKeyArn: home.keyArn,
  };
  for (const [output, value] of Object.entries(outputs)) new CfnOutput(stack, output, { value });
}
