import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { AnalyticsSettings } from '../contract/settings.ts';
import { acknowledge } from './acknowledgements.ts';
import { logicalId } from './names.ts';
import { addPrivateBucket, type BucketHome } from './private-bucket.ts';
import { productOf } from './product-app.ts';

/** What `npm run cli -- export-tables` and `npm run cli -- ask` need: a bucket for exports and answers, and Athena's resources. Decision 52. */

/** @param name the work group's name, `mobile-health-dev`; with underscores it is the database's name */
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
      description: 'Exported tables, and views over them: `npm run cli -- export-tables`',
    },
  });
  const workGroup = new CfnWorkGroup(stack, 'AnalyticsWorkGroup', {
    name,
    description: 'Questions to the exported tables',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      // A client's own settings are ignored, so answers are as protected as the exports.
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
  for (const { id, asks, sql } of productOf(stack).questions) {
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
  // Names instead of references: the local stage has neither resource, and reads the same template.
  const outputs = {
    AnalyticsBucketName: bucket.ref,
    AnalyticsDatabaseName: databaseName,
    AnalyticsWorkGroupName: name,
    AnalyticsKeyArn: home.keyArn,
  };
  for (const [output, value] of Object.entries(outputs)) new CfnOutput(stack, output, { value });
}
