// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the placeholders of Fn::Sub.
import { readStageModel } from '../../../lib/local/template/stage-model.ts';
import { assembly, type Resource, type Template } from './assembly.ts';
import { allow, authorizer, calling, get, mock, permission, ref, source, state } from './small-parts.ts';

/** A whole stage, as small as one can be: state, an API, and its functions in a nested stack. */
export type SmallStage = { State: Template; Api: Template; functions: Template; resources: Record<string, Resource> };

function smallStage(): SmallStage {
  const stateResources: Record<string, Resource> = {
    RecordsTable: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        PointInTimeRecoverySpecification: { 'Fn::Nothing': 'that this machine knows' },
        ResourcePolicy: {
          PolicyDocument: {
            Statement: [{ Effect: 'Deny', Principal: '*', Action: 'dynamodb:DeleteItem', Resource: '*' }],
          },
        },
      },
    },
    Pool: { Type: 'AWS::Cognito::UserPool', Properties: { UserPoolName: 'users' } },
    App: { Type: 'AWS::Cognito::UserPoolClient', Properties: { UserPoolId: ref('Pool'), ClientName: 'mobile-app' } },
    Patients: { Type: 'AWS::Cognito::UserPoolGroup', Properties: { UserPoolId: ref('Pool'), GroupName: 'patient' } },
    Cursors: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: { GenerateSecretString: { PasswordLength: 40, ExcludePunctuation: true } },
    },
    Strange: { Type: 'AWS::Strange::Thing', Properties: { Value: { 'Fn::Strange': [] } } },
  };
  const functionResources: Record<string, Resource> = {
    ListRole: {
      Type: 'AWS::IAM::Role',
      Properties: { Policies: [allow('dynamodb:Query', ref('RecordsArn'))] },
    },
    ListPolicy: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [ref('ListRole')], ...allow(['dynamodb:GetItem'], ref('RecordsArn')) },
    },
    List: {
      Type: 'AWS::Lambda::Function',
      Metadata: { operation: 'list-records' },
      Properties: {
        Code: { S3Bucket: 'any', S3Key: 'code.zip' },
        Handler: 'index.handler',
        Role: get('ListRole', 'Arn'),
        Timeout: 10,
        MemorySize: 1024,
        Environment: {
          Variables: {
            RECORDS_TABLE: state('Records'),
            CURSOR_KEY: { 'Fn::Join': ['', ['{{resolve:secretsmanager:', state('Cursors'), ':SecretString:::}}']] },
            PRODUCTION: { 'Fn::If': ['IsProduction', 'yes', ref('AWS::NoValue')] },
          },
        },
      },
    },
    OnlyInProduction: { Type: 'AWS::Lambda::Function', Condition: 'IsProduction', Properties: {} },
  };
  const listArn = get('Functions', 'Outputs.ListArn');
  const resources: Record<string, Resource> = {
    Functions: {
      Type: 'AWS::CloudFormation::Stack',
      Properties: {
        TemplateURL: { 'Fn::Sub': 'https://s3.${AWS::Region}.${AWS::URLSuffix}/bucket/functions.json' },
        Parameters: { RecordsArn: state('RecordsArn') },
      },
    },
    Rest: {
      Type: 'AWS::ApiGateway::RestApi',
      Properties: {
        Name: 'small',
        Body: {
          openapi: '3.0.1',
          info: { title: 'small', version: '1' },
          'x-amazon-apigateway-api-key-source': 'AUTHORIZER',
          'x-amazon-apigateway-gateway-responses': {
            MISSING_AUTHENTICATION_TOKEN: {
              statusCode: '404',
              responseParameters: { 'gatewayresponse.header.Cache-Control': "'no-store'" },
              responseTemplates: { 'application/json': '{"code":"ROUTE_NOT_FOUND"}' },
            },
          },
          paths: {
            '/v1/{id}': {
              get: calling(listArn, { operationId: 'getRecord', security: [{ bearer: [] }, { api_key: [] }] }),
              options: mock(),
            },
          },
          components: {
            securitySchemes: {
              bearer: authorizer(get('AuthorizerFunction', 'Arn')),
              api_key: { type: 'apiKey', name: 'x-api-key', in: 'header' },
            },
          },
        },
      },
    },
    GetPermission: permission(listArn, source('/', ref('Stage'), '/GET/v1/*')),
    Deployment: { Type: 'AWS::ApiGateway::Deployment', Properties: { RestApiId: ref('Rest') } },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: {
        RestApiId: ref('Rest'),
        DeploymentId: ref('Deployment'),
        StageName: 'de',
        MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 50, ThrottlingBurstLimit: '100' }],
      },
    },
    AuthorizerRole: { Type: 'AWS::IAM::Role', Properties: {} },
    AuthorizerFunction: {
      Type: 'AWS::Lambda::Function',
      Metadata: { operation: 'authorizer' },
      Properties: {
        Code: { S3Key: 'code.zip' },
        Handler: 'index.handler',
        Role: get('AuthorizerRole', 'Arn'),
        Environment: { Variables: { APPLICATION: 'sleepcare', USER_POOL_ID: state('Pool') } },
      },
    },
    AuthorizerPermission: permission(ref('AuthorizerFunction'), source('/authorizers/*')),
    Plan: {
      Type: 'AWS::ApiGateway::UsagePlan',
      Properties: {
        ApiStages: [{ ApiId: ref('Rest'), Stage: ref('Stage') }],
        Throttle: { RateLimit: 1.5, BurstLimit: 10 },
      },
    },
    Key: { Type: 'AWS::ApiGateway::ApiKey', Properties: { Enabled: true, Value: 'the-key-of-the-tools' } },
    PlanKey: {
      Type: 'AWS::ApiGateway::UsagePlanKey',
      Properties: { KeyId: ref('Key'), KeyType: 'API_KEY', UsagePlanId: ref('Plan') },
    },
    Firewall: {
      Type: 'AWS::WAFv2::WebACL',
      Properties: {
        Scope: 'REGIONAL',
        CustomResponseBodies: { limited: { ContentType: 'APPLICATION_JSON', Content: '{"code":"RATE_LIMITED"}' } },
        Rules: [
          {
            Name: 'by-address',
            Statement: { RateBasedStatement: { Limit: 100, EvaluationWindowSec: 60, AggregateKeyType: 'IP' } },
            Action: {
              Block: {
                CustomResponse: {
                  ResponseCode: 429,
                  CustomResponseBodyKey: 'limited',
                  ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }],
                },
              },
            },
          },
        ],
      },
    },
    Association: {
      Type: 'AWS::WAFv2::WebACLAssociation',
      Properties: {
        WebACLArn: get('Firewall', 'Arn'),
        ResourceArn: { 'Fn::Sub': 'arn:aws:apigateway:${AWS::Region}::/restapis/${Rest}/stages/${Stage}' },
      },
    },
  };
  return {
    resources: { ...stateResources, ...functionResources, ...resources },
    State: {
      Resources: stateResources,
      Outputs: {
        Records: { Value: ref('RecordsTable') },
        RecordsArn: { Value: get('RecordsTable', 'Arn') },
        Pool: { Value: ref('Pool') },
        Cursors: { Value: ref('Cursors') },
      },
    },
    functions: {
      Parameters: { RecordsArn: { Type: 'String' }, Environment: { Type: 'String', Default: 'dev' } },
      Conditions: { IsProduction: { 'Fn::Equals': [ref('Environment'), 'prod'] } },
      Resources: functionResources,
      Outputs: { ListArn: { Value: get('List', 'Arn') } },
    },
    Api: { Resources: resources },
  };
}

/** The small stage's model, after a change of its templates. */
export function modelAfter(change: (stage: SmallStage) => void = () => undefined) {
  const stage = smallStage();
  change(stage);
  const assets = { 'code.zip': 'asset.code', 'functions.json': stage.functions };
  return readStageModel({ directory: assembly({ State: stage.State, Api: stage.Api }, assets) });
}

/** A part of the API's definition, by its keys, to be changed in place. */
export function bodyOf({ resources }: SmallStage, ...keys: string[]): Record<string, unknown> {
  const body = resources.Rest?.Properties?.Body as Record<string, unknown>;
  return keys.reduce((part, key) => part[key] as Record<string, unknown>, body);
}
