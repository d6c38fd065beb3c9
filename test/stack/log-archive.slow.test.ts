import { expect, test } from 'vitest';
import * as productModule from '../../bin/product.ts';
import { environments } from '../../functions/product.ts';
import type { LogArchive } from '../../lib/contract/settings.ts';
import { buildApp } from '../../lib/stack/app.ts';
import { ofType, stage, type Template } from './stage.ts';

const destinationArn = 'arn:aws:logs:eu-central-1:111122223333:destination:archive';

function templatesWith(logArchive: LogArchive): Template[] {
  const { product } = productModule;
  const changed = { ...product.environments, dev: { ...product.environments.dev, logArchive } };
  const module = { ...productModule, product: { ...product, environments: changed } };
  return buildApp({ module, environment: 'dev', codeOf: null })
    .synth()
    .stacksRecursively.map(({ template }) => template);
}

test.each(environments)('%s copies no log unless the settings name an archive', (environment) => {
  const templates = Object.values(stage(environment).templates);
  expect(Object.keys(ofType('AWS::Logs::AccountPolicy', ...templates))).toEqual([]);
});

test('with an archive, one policy copies every line of every group but those with addresses', () => {
  const policies = Object.values(ofType('AWS::Logs::AccountPolicy', ...templatesWith({ destinationArn })));
  const found = policies.map(({ Properties: { PolicyDocument, ...rest } }) => [
    rest,
    JSON.parse(String(PolicyDocument)),
  ]);
  const expected = {
    PolicyName: 'mobile-health-dev-log-archive',
    PolicyType: 'SUBSCRIPTION_FILTER_POLICY',
    Scope: 'ALL',
    SelectionCriteria: `LogGroupName NOT IN ${JSON.stringify(environments.map((each) => `aws-waf-logs-mobile-health-${each}`))}`,
  };
  expect(found).toEqual([[expected, { DestinationArn: destinationArn, FilterPattern: '' }]]);
});

test.each([
  'arn:aws:firehose:eu-central-1:111122223333:deliverystream/archive',
  'arn:aws:kinesis:eu-central-1:111122223333:stream/archive',
  'arn:aws:logs:eu-central-1:111122223333:log-group:archive',
  'arn:aws:logs:eu-central-1::destination:archive',
])('%s could not be in another account, or is none', (wrong) => {
  expect(() => templatesWith({ destinationArn: wrong })).toThrow(
    'logArchive: the destination is one of CloudWatch Logs',
  );
});
