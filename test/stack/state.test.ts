import { Template as Assert, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { ConsentRecords } from '../../functions/consents/tables.ts';
import { tables } from '../../functions/domains.ts';
import { environments, roleScopes } from '../../functions/product.ts';
import { RateLimited } from '../../lib/contract/common-errors.ts';
import { errorBody } from '../../lib/contract/errors.ts';
import { rolesOf } from '../../lib/contract/roles.ts';
import type { Table } from '../../lib/contract/tables.ts';
import { historyOf } from '../ledger/histories.ts';
import { ofType, properties, resource, stage } from './stage.ts';

const state = (environment: (typeof environments)[number]) => stage(environment).templates.State;
const dev = state('dev');
const prod = state('prod');

describe('the key', () => {
  test('rotates, is administered by the account, and serves only the logs and topics of its environment', () => {
    const { EnableKeyRotation, KeyPolicy } = properties(prod, 'Key');
    expect(EnableKeyRotation).toBe(true);
    expect(KeyPolicy).toMatchObject({
      Statement: [
        { Principal: { AWS: 'arn:<AWS::Partition>:iam::<AWS::AccountId>:root' }, Action: 'kms:*' },
        {
          Principal: { Service: 'logs.<AWS::Region>.<AWS::URLSuffix>' },
          Condition: {
            ArnLike: {
              'kms:EncryptionContext:aws:logs:arn': [
                'arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:MobileHealth-prod-*',
                'arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:aws-waf-logs-mobile-health-prod',
              ],
            },
          },
        },
        { Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: ['kms:Decrypt', 'kms:GenerateDataKey'] },
        {
          Principal: { Service: 'sns.amazonaws.com' },
          Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
          Condition: {
            ArnLike: {
              'kms:EncryptionContext:aws:sns:topicArn':
                'arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:MobileHealth-prod-*',
            },
          },
        },
      ],
    });
  });
});

describe('the tables', () => {
  test.each(environments)('%s: each is on demand, recoverable and under the key', (environment) => {
    const found = ofType('AWS::DynamoDB::Table', state(environment));
    expect(Object.keys(found).sort()).toEqual(
      tables
        .filter(({ name }) => name !== 'Clock' || environment !== 'prod')
        .map(({ name }) => `${name}Table`)
        .sort(),
    );
    for (const id of Object.keys(found)) {
      expect(properties(state(environment), id), id).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: '<Key.Arn>' },
        DeletionProtectionEnabled: environment === 'prod',
      });
      expect(found[id]?.DeletionPolicy, id).toBe(environment === 'prod' ? 'Retain' : 'Delete');
    }
  });

  test('have the declared keys', () => {
    expect(properties(dev, 'ConsentRecordsTable').KeySchema).toEqual([
      { AttributeName: 'userAgreement', KeyType: 'HASH' },
      { AttributeName: 'recordedAt', KeyType: 'RANGE' },
    ]);
  });

  test('only a ledger has a policy, and an expiry what goes by itself', () => {
    for (const { name, ledger, expires } of tables) {
      const { ResourcePolicy, TimeToLiveSpecification } = properties(dev, `${name}Table`);
      expect(ResourcePolicy !== undefined, name).toBe(ledger !== undefined);
      expect(TimeToLiveSpecification).toEqual(expires ? { AttributeName: 'expiresAt', Enabled: true } : undefined);
    }
  });
});

describe('the ledger', () => {
  const statements = () =>
    (properties(dev, 'ConsentRecordsTable').ResourcePolicy as { PolicyDocument: { Statement: object[] } })
      .PolicyDocument.Statement;
  const keysAndExpiry = ['userAgreement', 'recordedAt', 'expiresAt'];

  test('denies everyone every change but a put in a transaction; TTL, a service, goes on deleting', () => {
    const everyone = { Effect: 'Deny', Principal: '*', Resource: '*' };
    expect(statements()).toEqual([
      {
        ...everyone,
        Sid: 'NoRecordIsDeleted',
        Action: [
          'dynamodb:DeleteItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:PartiQLInsert',
          'dynamodb:PartiQLUpdate',
          'dynamodb:PartiQLDelete',
        ],
        Condition: { BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' } },
      },
      {
        ...everyone,
        Sid: 'NoRecordIsChanged',
        Action: 'dynamodb:UpdateItem',
        Condition: { ArnNotEquals: { 'aws:PrincipalArn': '<ExpiryRole.Arn>' } },
      },
      {
        ...everyone,
        Sid: 'OnlyItsExpiryIsSet',
        Action: 'dynamodb:UpdateItem',
        Condition: { 'ForAnyValue:StringNotEquals': { 'dynamodb:Attributes': keysAndExpiry } },
      },
      {
        ...everyone,
        Sid: 'RecordsArePutInTransactions',
        Action: 'dynamodb:PutItem',
        Condition: { 'ForAllValues:StringNotEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } },
      },
      {
        ...everyone,
        Sid: 'OnlyWhatARecordHasIsPut',
        Action: 'dynamodb:PutItem',
        Condition: { 'ForAnyValue:StringNotEquals': { 'dynamodb:Attributes': ConsentRecords.ledger?.attributes } },
      },
    ]);
  });

  test('names what a record has, and no more', () => {
    const [record] = historyOf(1);
    const names = ['userAgreement', ...Object.keys(record ?? {})];
    expect(ConsentRecords.ledger?.attributes.toSorted()).toEqual(names.toSorted());
    expect(names).not.toContain('expiresAt');
  });

  test('a table whose rows get no expiry later cannot be updated by anybody, not even by the expiry role', () => {
    const isFinal = ({ ledger, expires }: Table) => ledger && (!expires || ledger.attributes.includes('expiresAt'));
    const final = tables.filter(isFinal).map(({ name }) => name);
    expect(final).toEqual(['AuditEvents', 'AccessLog']);
    for (const name of final) {
      const policy = properties(dev, `${name}Table`).ResourcePolicy as { PolicyDocument: { Statement: object[] } };
      const updates = policy.PolicyDocument.Statement.filter((each) => JSON.stringify(each).includes('UpdateItem'));
      const denied = { Effect: 'Deny', Principal: '*', Resource: '*', Action: 'dynamodb:UpdateItem' };
      expect(updates, name).toEqual([{ Sid: 'NoRecordIsChanged', ...denied }]);
      expect(dev?.Resources, name).not.toHaveProperty(`${name}ExpiryPolicy`);
    }
  });

  test('its policy names only data actions, so that it locks nobody out of the table', () => {
    const data = /^dynamodb:(Put|Update|Delete|BatchWrite)Item$|^dynamodb:PartiQL/;
    for (const { Action } of statements() as { Action: string | string[] }[]) {
      for (const action of [Action].flat()) expect(action).toMatch(data);
    }
  });

  test('its policy refers to nothing that refers to the table', () => {
    const { Properties } = resource(dev, 'ExpiryRole');
    expect(JSON.stringify(Properties)).not.toContain('ConsentRecordsTable');
    expect(JSON.stringify(resource(dev, 'ConsentRecordsTable'))).not.toContain('"ConsentRecordsTable"');
  });

  test('the expiry role may set the expiry, and nothing else of the table', () => {
    const { PolicyDocument, Roles } = properties(dev, 'ConsentRecordsExpiryPolicy');
    expect(Roles).toEqual(['<ExpiryRole>']);
    const [update, key] = (PolicyDocument as { Statement: object[] }).Statement;
    expect(update).toEqual({
      Effect: 'Allow',
      Action: 'dynamodb:UpdateItem',
      Resource: '<ConsentRecordsTable.Arn>',
      Condition: {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': keysAndExpiry },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
      },
    });
    expect(key).toMatchObject({ Resource: '<Key.Arn>', Condition: { StringEquals: expect.anything() } });
  });
});

describe('the user pools', () => {
  const byPool = { sleepcare: 'SleepcareUserPool', medinfo: 'MedinfoUserPool' } as const;

  test.each(Object.entries(byPool))('%s: nobody signs up, and prod deletes nothing', (_, id) => {
    expect(properties(prod, id)).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      DeletionProtection: 'ACTIVE',
    });
    expect(resource(prod, id).DeletionPolicy).toBe('Retain');
    expect(properties(dev, id).DeletionProtection).toBe('INACTIVE');
  });

  test('both offer a second factor, and medinfo asks everybody for it in prod', () => {
    const EnabledMfas = ['SOFTWARE_TOKEN_MFA'];
    expect(properties(dev, byPool.medinfo)).toMatchObject({ MfaConfiguration: 'OPTIONAL', EnabledMfas });
    expect(properties(prod, byPool.medinfo)).toMatchObject({ MfaConfiguration: 'ON', EnabledMfas });
    for (const each of [dev, prod]) {
      expect(properties(each, byPool.sleepcare)).toMatchObject({ MfaConfiguration: 'OPTIONAL', EnabledMfas });
    }
  });

  test.each(environments)('%s: a password has twelve characters of any kind, and no age', (environment) => {
    for (const pool of Object.values(byPool)) {
      const { PasswordPolicy, ...others } = properties(state(environment), pool).Policies as Record<string, object>;
      expect(others).toEqual({});
      expect(PasswordPolicy).toEqual({ MinimumLength: 12, TemporaryPasswordValidityDays: 1 });
    }
  });

  test.each(environments)(
    '%s: there is no hosted sign-in, no other provider and no pool of identities',
    (environment) => {
      const types = Object.values(stage(environment).templates).flatMap(({ Resources }) =>
        Object.values(Resources).map(({ Type }) => Type),
      );
      expect(
        types.filter((type) => /UserPool(Domain|IdentityProvider|ResourceServer|User)$|IdentityPool/.test(type)),
      ).toEqual([]);
      for (const { Properties } of Object.values(ofType('AWS::Cognito::UserPoolClient', state(environment)))) {
        expect(Properties.SupportedIdentityProviders ?? ['COGNITO']).toEqual(['COGNITO']);
        expect(Properties.AllowedOAuthFlows ?? []).toEqual([]);
      }
    },
  );

  test.each(environments)('%s: the groups are the roles', (environment) => {
    for (const [application, pool] of Object.entries(byPool) as ['sleepcare' | 'medinfo', string][]) {
      const groups = Object.values(ofType('AWS::Cognito::UserPoolGroup', state(environment)))
        .filter(({ Properties }) => JSON.stringify(Properties.UserPoolId) === JSON.stringify({ Ref: pool }))
        .map(({ Properties }) => Properties.GroupName);
      expect(groups).toEqual(rolesOf(roleScopes, application, environment));
    }
  });

  test.each([
    ['dev', ['mobile-app', 'developer-tools', 'integration']],
    ['staging', ['mobile-app', 'developer-tools', 'integration']],
    ['prod', ['mobile-app', 'integration']],
  ] as const)('%s: the clients of each are %j', (environment, names) => {
    const clients = Object.values(ofType('AWS::Cognito::UserPoolClient', state(environment)));
    expect(clients.map(({ Properties }) => Properties.ClientName)).toEqual([
      ...names,
      'own-account',
      ...names,
      'own-account',
    ]);
  });

  test('a client signs in only through IAM, lives as long as its application’s sessions, and can write no attribute', () => {
    const always = {
      ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'],
      AllowedOAuthFlowsUserPoolClient: false,
      PreventUserExistenceErrors: 'ENABLED',
      EnableTokenRevocation: true,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
      // Cognito's token stays with us; the app's own is replaced at each renewal.
      RefreshTokenRotation: { Feature: 'DISABLED' },
      // An empty list would mean every attribute.
      WriteAttributes: ['custom:unused'],
    };
    // The shortest that Cognito takes; no token of it is renewed.
    const kept = { AccessTokenValidity: 5, RefreshTokenValidity: 60 };
    for (const id of Object.keys(ofType('AWS::Cognito::UserPoolClient', dev))) {
      const RefreshTokenValidity = id.startsWith('Medinfo') ? 12 * 60 : 30 * 24 * 60;
      const handedOut = { AccessTokenValidity: 15, RefreshTokenValidity };
      expect(properties(dev, id), id).toMatchObject({
        ...always,
        ...(id.endsWith('OwnAccountClient') ? kept : handedOut),
      });
    }
    for (const pool of Object.values(byPool)) {
      expect(properties(dev, pool).Schema).toEqual([{ Name: 'unused', AttributeDataType: 'String', Mutable: false }]);
    }
  });
});

describe('the trigger before a token', () => {
  test.each(environments)(
    '%s: each pool names its function, and the function names the client that it spares',
    (environment) => {
      const { State, ...others } = stage(environment).templates;
      for (const [application, pool] of Object.entries({
        sleepcare: 'SleepcareUserPool',
        medinfo: 'MedinfoUserPool',
      })) {
        const { LambdaConfig, UserPoolTier } = properties(State, pool);
        const name = `mobile-health-${environment}-${application}-tokens`;
        const lambdaArn = `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${name}`;
        // A lower feature plan has no trigger of this version.
        expect([LambdaConfig, UserPoolTier]).toEqual([
          { PreTokenGenerationConfig: { LambdaArn: lambdaArn, LambdaVersion: 'V2_0' } },
          'ESSENTIALS',
        ]);
        const api = others[application === 'medinfo' ? 'Medinfo' : 'Sleepcare'];
        expect(properties(api, 'PreTokenGenerationFunction').FunctionName).toBe(name);
        expect(properties(api, 'PreTokenGenerationInvocation')).toMatchObject({
          Principal: 'cognito-idp.amazonaws.com',
          SourceArn: `<State:${pool}.Arn>`,
          SourceAccount: '<AWS::AccountId>',
        });
      }
    },
  );
});

test('the cursor key is made by Secrets Manager', () => {
  const { GenerateSecretString, KmsKeyId, SecretString } = properties(dev, 'CursorKey');
  expect(GenerateSecretString).toEqual({ PasswordLength: 64, ExcludePunctuation: true });
  expect(KmsKeyId).toBe('<Key.Arn>');
  expect(SecretString).toBeUndefined();
});

test.each([
  ['dev', 'Delete'],
  ['prod', 'Retain'],
] as const)('the key of access codes is made by Secrets Manager, and in %s: %s', (environment, policy) => {
  const { AccessCodeKey } = ofType('AWS::SecretsManager::Secret', state(environment));
  expect(AccessCodeKey).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
  const { GenerateSecretString, KmsKeyId, SecretString } = properties(state(environment), 'AccessCodeKey');
  expect(GenerateSecretString).toEqual({ PasswordLength: 64, ExcludePunctuation: true });
  expect(KmsKeyId).toBe('<Key.Arn>');
  expect(SecretString).toBeUndefined();
});

describe('the firewall', () => {
  test('one web ACL, one rule: the 101st request of 60 seconds from one connection address', () => {
    const template = Assert.fromJSON(structuredClone(dev) as object);
    template.resourceCountIs('AWS::WAFv2::WebACL', 1);
    template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      Rules: [
        {
          Statement: { RateBasedStatement: { Limit: 100, EvaluationWindowSec: 60, AggregateKeyType: 'IP' } },
          Action: { Block: { CustomResponse: Match.objectLike({ ResponseCode: 429 }) } },
        },
      ].map((rule) => Match.objectLike(rule)),
    });
  });

  test('answers with the catalogue’s body and Retry-After', () => {
    const { CustomResponseBodies, Rules } = properties(dev, 'WebAcl') as {
      CustomResponseBodies: Record<string, { Content: string; ContentType: string }>;
      Rules: { Action: { Block: { CustomResponse: { CustomResponseBodyKey: string; ResponseHeaders: object[] } } } }[];
    };
    const answer = Rules[0]?.Action.Block.CustomResponse;
    const body = CustomResponseBodies[answer?.CustomResponseBodyKey ?? ''];
    expect(body?.ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(body?.Content ?? '')).toEqual(errorBody(RateLimited));
    expect(answer?.ResponseHeaders).toContainEqual({ Name: 'Retry-After', Value: '60' });
    expect(answer?.ResponseHeaders).toContainEqual({ Name: 'Access-Control-Allow-Origin', Value: '*' });
  });

  test('has the headers for browsers by name, and as many as AWS WAF takes at most', () => {
    const { Rules } = properties(dev, 'WebAcl') as {
      Rules: { Action: { Block: { CustomResponse: { ResponseHeaders: { Name: string; Value: string }[] } } } }[];
    };
    const headers = Rules[0]?.Action.Block.CustomResponse.ResponseHeaders ?? [];
    expect(Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value]))).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'X-Request-Id, ETag, Retry-After',
      'Cache-Control': 'no-store',
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
      'Content-Security-Policy':
        "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Retry-After': '60',
    });
    // https://docs.aws.amazon.com/waf/latest/APIReference/API_CustomHTTPHeader.html
    expect(headers.length).toBeLessThanOrEqual(10);
    for (const { Value } of headers) expect(Value.length).toBeLessThanOrEqual(255);
  });

  test('keeps no samples of requests: they hold addresses and tokens', () => {
    expect(JSON.stringify(resource(dev, 'WebAcl'))).not.toContain('"SampledRequestsEnabled":true');
  });
});
