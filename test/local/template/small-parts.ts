import type { Resource } from './assembly.ts';

/** Pieces of the small stage's templates. */

export const get = (logicalId: string, attribute: string) => ({ 'Fn::GetAtt': [logicalId, attribute] });
export const ref = (name: string) => ({ Ref: name });
export const state = (OutputName: string) => ({ 'Fn::GetStackOutput': { StackName: 'State', OutputName } });
export const uri = (functionArn: unknown) => ({
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
export const mock = (ResourceId: unknown, HttpMethod: string): Resource => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: ref('Rest'),
    ResourceId,
    HttpMethod,
    Integration: {
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{ "statusCode": 200 }' },
      IntegrationResponses: [
        { StatusCode: '204', ResponseParameters: { 'method.response.header.Access-Control-Allow-Origin': "'*'" } },
      ],
    },
    MethodResponses: [
      { StatusCode: '204', ResponseParameters: { 'method.response.header.Access-Control-Allow-Origin': true } },
    ],
  },
});
