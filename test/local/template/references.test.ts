// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the placeholders of Fn::Sub.
import { expect, test } from 'vitest';
import { modelAfter } from './small-stage.ts';

/** What the list function finds in its environment when the template gives it these variables. */
function environment(variables: Record<string, unknown>) {
  const { functions } = modelAfter(({ State, functions, resources }) => {
    Object.assign(State.Resources ?? {}, {
      Credentials: {
        Type: 'AWS::SecretsManager::Secret',
        Properties: { Name: 'credentials', SecretString: '{"user":"u","key":"k"}' },
      },
      Version: { Type: 'AWS::SSM::Parameter', Properties: { Name: '/stage/version', Value: { Ref: 'AWS::Region' } } },
    });
    Object.assign(State.Outputs ?? {}, {
      Exported: { Value: { 'Fn::GetAtt': ['Pool', 'Arn'] }, Export: { Name: { 'Fn::Sub': '${AWS::StackName}-pool' } } },
    });
    functions.Mappings = { Sizes: { dev: { memory: 7 } } };
    Object.assign(functions.Parameters ?? {}, {
      FromStore: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/stage/version' },
      Listed: { Type: 'CommaDelimitedList', Default: 'a,b' },
    });
    Object.assign((resources.List?.Properties ?? {}) as object, { Environment: { Variables: variables } });
  });
  return functions.find(({ operation }) => operation === 'list-records')?.environment;
}

test.each<[string, unknown, string]>([
  ['a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-central-1'],
  ['the account', { Ref: 'AWS::AccountId' }, '000000000000'],
  ['a parameter’s default', { Ref: 'Environment' }, 'dev'],
  ['a parameter from the parameter store', { Ref: 'FromStore' }, 'eu-central-1'],
  ['a list', { 'Fn::Select': [1, { Ref: 'Listed' }] }, 'b'],
  ['a mapping', { 'Fn::FindInMap': ['Sizes', { Ref: 'Environment' }, 'memory'] }, '7'],
  ['a secret by its name', '{{resolve:secretsmanager:credentials}}', '{"user":"u","key":"k"}'],
  ['a secret’s field', '{{resolve:secretsmanager:credentials:SecretString:key::}}', 'k'],
  ['a stored parameter', 'v{{resolve:ssm:/stage/version:1}}', 'veu-central-1'],
  ['an export', { 'Fn::ImportValue': 'State-pool' }, 'arn:aws:cognito-idp:eu-central-1:000000000000:userpool/'],
  ['a parent’s parameter', { Ref: 'RecordsArn' }, 'arn:aws:dynamodb:eu-central-1:000000000000:table/State-Records'],
  ['the nested stack', { Ref: 'AWS::StackName' }, 'Api-Functions'],
])('%s', (_, value, expected) => {
  expect(environment({ VALUE: value })?.VALUE?.slice(0, expected.length)).toBe(expected);
});

test.each<[string, unknown, string]>([
  ['a secret', '{{resolve:secretsmanager:other}}', 'Variables.VALUE: the stage has no secret other'],
  ['a field', '{{resolve:secretsmanager:credentials:SecretString:no}}', 'the secret credentials has no field no'],
  ['a stored parameter', '{{resolve:ssm:/other}}', 'the stage has no parameter /other'],
  ['a source of values', '{{resolve:vault:x}}', '{{resolve:vault:x}} is not supported on this machine'],
  ['an export', { 'Fn::ImportValue': 'other' }, 'no stack exports other'],
  ['a stack', { 'Fn::GetStackOutput': { StackName: 'Other', OutputName: 'x' } }, 'there is no stack Other'],
  ['a kind of resource', { 'Fn::GetStackOutput': { StackName: 'State', OutputName: 'no' } }, 'State has no output no'],
])('%s that is not there', (_, value, message) => {
  expect(() => environment({ VALUE: value })).toThrow(message);
});
