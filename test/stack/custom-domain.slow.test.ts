import { App, Stack } from 'aws-cdk-lib/core';
import { expect, test } from 'vitest';
import { applications, deployments, environments } from '../../functions/product.ts';
import { addCustomDomain, mapToDomain } from '../../lib/stack/custom-domain.ts';
import { ofType, stage, type Template } from './stage.ts';

const domain = { name: 'api.example.com', certificateArn: 'arn:of:it', hostedZoneId: 'Z1' };

function templateOf(add: (stack: Stack) => void): Template {
  const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Small');
  add(stack);
  return app.synth().getStackArtifact(stack.artifactId).template;
}

const propertiesOf = (type: string, template: Template) =>
  Object.values(ofType(type, template)).map(({ Properties }) => Properties);

test.each(environments)('%s has none unless the settings name one', (environment) => {
  const templates = Object.values(stage(environment).templates);
  expect(Object.keys(ofType('AWS::ApiGateway::DomainName', ...templates))).toEqual([]);
  expect(Object.keys(ofType('AWS::ApiGateway::BasePathMapping', ...templates))).toEqual([]);
});

test('it takes no older TLS than the APIs, and is found by both kinds of addresses', () => {
  const template = templateOf((stack) => addCustomDomain(stack, domain));
  expect(propertiesOf('AWS::ApiGateway::DomainName', template)).toEqual([
    {
      DomainName: 'api.example.com',
      RegionalCertificateArn: 'arn:of:it',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    },
  ]);
  const records = propertiesOf('AWS::Route53::RecordSet', template);
  expect(records.map(({ Type, Name, HostedZoneId }) => [Type, Name, HostedZoneId])).toEqual([
    ['A', 'api.example.com', 'Z1'],
    ['AAAA', 'api.example.com', 'Z1'],
  ]);
});

test('without a hosted zone there is no record', () => {
  const template = templateOf((stack) => addCustomDomain(stack, { ...domain, hostedZoneId: null }));
  expect(propertiesOf('AWS::Route53::RecordSet', template)).toEqual([]);
});

test.each(applications)('%s: below the domain its address is as below API Gateway’s', (application) => {
  const { stage: stageName, prefix, basePath } = deployments[application];
  const template = templateOf((stack) =>
    mapToDomain(stack, domain, { apiId: 'an-api', stage: stageName, basePath: stageName }),
  );
  const [mapping] = propertiesOf('AWS::ApiGateway::BasePathMapping', template);
  expect(mapping).toEqual({ DomainName: domain.name, BasePath: stageName, RestApiId: 'an-api', Stage: stageName });
  expect(`/${mapping?.BasePath}${prefix}`).toBe(basePath);
});
