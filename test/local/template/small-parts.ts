import type { Resource } from './assembly.ts';

/** Pieces of the small stage's templates. */

export const get = (logicalId: string, attribute: string) => ({ 'Fn::GetAtt': [logicalId, attribute] });
export const ref = (name: string) => ({ Ref: name });
export const state = (OutputName: string) => ({ 'Fn::GetStackOutput': { StackName: 'State', OutputName } });
const uri = (functionArn: unknown) => ({
  'Fn::Join': ['', ['arn:aws:apigateway:r:lambda:path/2015-03-31/functions/', functionArn, '/invocations']],
});
export const source = (...rest: unknown[]) => ({
  'Fn::Join': ['', ['arn:aws:execute-api:', ref('AWS::Region'), ':', ref('AWS::AccountId'), ':', ref('Rest'), ...rest]],
});
export const allow = (Action: string | string[], Resource: unknown) => ({
  PolicyDocument: { Statement: [{ Effect: 'Allow', Action, Resource }] },
});
export const permission = (FunctionName: unknown, SourceArn: unknown): Resource => ({
  Type: 'AWS::Lambda::Permission',
  Properties: { Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com', FunctionName, SourceArn },
});
const integration = 'x-amazon-apigateway-integration';
const idInPath = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
export const mock = () => ({
  parameters: [idInPath],
  responses: { '204': { description: '', headers: { 'Access-Control-Allow-Origin': { schema: { type: 'string' } } } } },
  [integration]: {
    type: 'mock',
    requestTemplates: { 'application/json': '{ "statusCode": 204 }' },
    responses: {
      default: {
        statusCode: '204',
        responseParameters: { 'method.response.header.Access-Control-Allow-Origin': "'*'" },
      },
    },
  },
});
export const calling = (functionArn: unknown, more: object) => ({
  parameters: [idInPath],
  responses: { '200': { description: '' } },
  ...more,
  [integration]: { type: 'aws_proxy', httpMethod: 'POST', uri: uri(functionArn), timeoutInMillis: 9500 },
});
export const authorizer = (functionArn: unknown) => ({
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authtype': 'custom',
  'x-amazon-apigateway-authorizer': {
    type: 'token',
    authorizerUri: uri(functionArn),
    authorizerResultTtlInSeconds: 60,
  },
});
