import { Stack } from 'aws-cdk-lib/core';
import { expect, test } from 'vitest';
import * as productModule from '../../bin/product.ts';
import { questions } from '../../functions/analytics/questions.ts';
import { environments } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import { addAnalytics } from '../../lib/stack/analytics.ts';
import { ProductApp } from '../../lib/stack/product-app.ts';
import { ofType, type Template } from './stage.ts';

const home = { keyArn: 'arn:of:key', settings: settings.dev, accessLogs: null };

function templateOf(keepsDays: number): Template {
  const app = new ProductApp(productModule, { analyticsReporting: false, builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Small');
  addAnalytics(stack, 'mobile-health-dev', home, { keepsDays, mostGigabytes: 100 });
  return app.synth().getStackArtifact(stack.artifactId).template;
}

const propertiesOf = (type: string, template: Template) =>
  Object.values(ofType(type, template)).map(({ Properties }) => Properties);

test.each(environments)('%s has none unless the settings ask for it', (environment) => {
  expect(settings[environment].analytics).toBeNull();
});

test('exports and answers are deleted after some days, and are encrypted with the environment’s key', () => {
  const template = templateOf(7);
  const [bucket] = propertiesOf('AWS::S3::Bucket', template);
  expect(bucket).toMatchObject({
    VersioningConfiguration: { Status: 'Suspended' },
    LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ExpirationInDays: 7 }] },
    PublicAccessBlockConfiguration: { BlockPublicPolicy: true, RestrictPublicBuckets: true },
  });
  const [group] = propertiesOf('AWS::Athena::WorkGroup', template);
  expect(group).toMatchObject({
    WorkGroupConfiguration: {
      EnforceWorkGroupConfiguration: true,
      BytesScannedCutoffPerQuery: 100_000_000_000,
      ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: 'SSE_KMS', KmsKey: 'arn:of:key' } },
    },
  });
  expect(() => templateOf(31)).toThrow('1 to 30 days');
});

test('each question is a named query of the work group', () => {
  const named = propertiesOf('AWS::Athena::NamedQuery', templateOf(7));
  expect(named.map(({ Name, QueryString }) => [Name, QueryString])).toEqual(
    questions.map(({ id, sql }) => [`mobile-health-dev-${id}`, sql]),
  );
  // Athena takes 262,144 bytes of a statement, and 1,024 characters of a description.
  for (const { Description } of named) expect(String(Description).length).toBeLessThan(1024);
});
