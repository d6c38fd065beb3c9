import { describe, expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { bucketVariable } from '../../lib/contract/buckets.ts';
import { runsIn } from '../../lib/contract/consumer.ts';
import { applications, type Environment, environments } from '../../lib/contract/deployments.ts';
import { existsIn, isCollection } from '../../lib/contract/route.ts';
import { signingKeyVariable } from '../../lib/contract/signing-keys.ts';
import { type Access, tableVariable } from '../../lib/contract/tables.ts';
import { bucketsIn, signingKeysIn, tablesIn, type Uses } from '../../lib/contract/uses.ts';
import { functionName, logicalId } from '../../lib/stack/names.ts';
import { settings } from '../../lib/stack/settings.ts';
import { ofType, properties, resource, stage, type Template } from './stage.ts';

/** In dev and staging whoever uses a table may ask for the time. */
const withClock = (uses: Uses | undefined): ReturnType<typeof tablesIn> => {
  const declared = tablesIn(uses);
  return declared.length === 0 || uses?.Clock ? declared : [...declared, ['Clock', 'read']];
};

type Statement = { Effect: string; Action: string | string[]; Resource: string; Condition?: object };

/** Every function of a stage with its template and the beginning of its logical ids. */
function functions(environment: Environment): { template: Template; name: string; where: string }[] {
  return Object.entries(stage(environment).templates).flatMap(([where, template]) =>
    Object.keys(ofType('AWS::Lambda::Function', template)).map((id) => ({
      template,
      where: `${where}/${id}`,
      name: id.replace(/Function$/, ''),
    })),
  );
}

/** Those that a route calls, and the gateway's own; what the others need is in delivery.test.ts. */
const calledByGateway = (environment: Environment) =>
  functions(environment).filter(({ where }) => !/^(Sleepcare|Medinfo)Consumers\//.test(where));

/** The one kind of function that runs as a role of another stack: the ledger's policy names it. */
const expires = new Set(
  consumers
    .filter(({ consumer }) => tablesIn(consumer.uses).some(([, access]) => access === 'expire'))
    .map(({ id }) => logicalId(functionName(id))),
);
const scheduled = new Set(
  consumers.filter(({ consumer }) => consumer.schedule).map(({ id }) => logicalId(functionName(id))),
);

const domainTemplate = (domain: string, application: string, environment: Environment = 'dev') =>
  stage(environment).templates[logicalId(application, domain)];

/** @param role `<function>Role`; of a function that runs as another stack's role, what it adds to that */
function statements(template: Template | undefined, role: string): Statement[] {
  const name = role.replace(/Role$/, '');
  if (expires.has(name)) {
    return (properties(template, `${name}Policy`).PolicyDocument as { Statement: Statement[] }).Statement;
  }
  const policies = properties(template, role).Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

test.each(environments)('%s: every function is one of ours, and names its bundle', (environment) => {
  for (const application of applications) {
    const routed = operations.filter(({ route }) => existsIn(route, environment, application));
    const here = [...routed, ...consumers.filter(({ consumer }) => runsIn(consumer, application))];
    const found = functions(environment).filter(({ where }) => where.startsWith(logicalId(application)));
    const named = found.map(({ template, name }) => resource(template, `${name}Function`).Metadata?.operation);
    expect(named.sort()).toEqual(['authorizer', 'route-not-found', ...here.map(({ id }) => functionName(id))].sort());
  }
});

test.each(environments)('%s: arm64, Node 24, and nothing outlives the gateway’s patience', (environment) => {
  for (const { template, name, where } of functions(environment)) {
    const { Timeout, MemorySize, ...found } = properties(template, `${name}Function`);
    expect(found, where).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogGroup: `<${name}Logs>` },
      Role: expires.has(name) ? `<MobileHealth-${environment}-State:ExpiryRole.Arn>` : `<${name}Role.Arn>`,
    });
    // What runs by the clock nobody waits for.
    expect(Timeout, where).toBeLessThanOrEqual(scheduled.has(name) ? 900 : 10);
    expect(MemorySize, where).toBeLessThanOrEqual(1769);
  }
});

test.each(environments)('%s: a log group each, kept for the environment’s time, under its key', (environment) => {
  for (const { template, name, where } of functions(environment)) {
    expect(properties(template, `${name}Logs`), where).toEqual({
      RetentionInDays: settings[environment].logRetentionDays,
      KmsKeyId: `<MobileHealth-${environment}-State:Key.Arn>`,
    });
    expect(resource(template, `${name}Logs`).DeletionPolicy).toBe(environment === 'prod' ? 'Retain' : 'Delete');
  }
});

describe('a role', () => {
  test.each(environments)(
    '%s: is the function’s own, with no managed policy and no wildcard but X-Ray’s',
    (environment) => {
      for (const { template, name, where } of functions(environment)) {
        const role = expires.has(name)
          ? properties(stage(environment).templates.State, 'ExpiryRole')
          : properties(template, `${name}Role`);
        expect(role.ManagedPolicyArns, where).toBeUndefined();
        expect(JSON.stringify(role.AssumeRolePolicyDocument)).toContain('lambda.amazonaws.com');
        for (const { Action, Resource } of statements(template, `${name}Role`)) {
          if (Resource === '*') expect(Action, where).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
          for (const action of [Action].flat()) expect(action, where).not.toMatch(/^\*|:\*$/);
        }
      }
    },
  );

  test.each(environments)('%s: writes to its own log group alone', (environment) => {
    for (const { template, name, where } of functions(environment)) {
      const logs = statements(template, `${name}Role`).filter(({ Action }) => String(Action).includes('logs:'));
      expect(logs, where).toEqual([
        { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: `<${name}Logs.Arn>` },
      ]);
    }
  });

  const inTransaction = (...Action: string[]) => ({
    Action,
    Condition: { 'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } },
  });
  const granted: Record<Access, object[]> = {
    read: [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }],
    write: [{ Action: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'] }],
    erase: [{ Action: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'] }],
    move: [
      { Action: ['dynamodb:GetItem', 'dynamodb:Query'] },
      inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem'),
    ],
    amend: [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }, inTransaction('dynamodb:PutItem')],
    transact: [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:PutItem')],
    append: [inTransaction('dynamodb:PutItem')],
    scan: [{ Action: ['dynamodb:Scan'] }],
    expire: [{ Action: ['dynamodb:Query'] }],
  };

  test.each(operations.map(({ id, domain, route }) => ({ id, domain, route })))(
    '$id: may do to tables what it declares, and nothing else',
    ({ id, domain, route }) => {
      for (const application of applications.filter((one) => existsIn(route, 'dev', one))) {
        const found = statements(domainTemplate(domain, application), `${logicalId(functionName(id))}Role`);
        const toTables = found.filter(({ Action }) => String(Action).includes('dynamodb:'));
        const expected = withClock(route.uses).flatMap(([table, access]) =>
          granted[access].map((statement) => ({
            Effect: 'Allow',
            ...statement,
            Resource: `<MobileHealth-dev-State:${table}Table.Arn>`,
          })),
        );
        expect(toTables).toEqual(expected);
      }
    },
  );

  const ofUserPool = {
    renew: [],
    authenticate: [{ Action: ['cognito-idp:AdminInitiateAuth', 'cognito-idp:AdminRespondToAuthChallenge'] }],
    read: [{ Action: ['cognito-idp:AdminGetUser'] }],
    close: [{ Action: ['cognito-idp:AdminDisableUser', 'cognito-idp:AdminUserGlobalSignOut'] }],
    erase: [{ Action: ['cognito-idp:AdminGetUser', 'cognito-idp:AdminDeleteUser'] }],
  } as const;

  test.each(operations.map(({ id, domain, route }) => ({ id, domain, route })))(
    '$id: may do to its application’s user pool what it declares, and nothing else',
    ({ id, domain, route }) => {
      for (const application of applications.filter((one) => existsIn(route, 'dev', one))) {
        const found = statements(domainTemplate(domain, application), `${logicalId(functionName(id))}Role`);
        const toPools = found.filter(({ Action }) => String(Action).includes('cognito'));
        const Resource = `<MobileHealth-dev-State:${logicalId(application)}UserPool.Arn>`;
        const granted = route.uses?.UserPool ? ofUserPool[route.uses.UserPool] : [];
        expect(toPools).toEqual(granted.map(({ Action }) => ({ Effect: 'Allow', Action, Resource })));
      }
    },
  );

  const ofPushPlatforms = {
    register: [
      [['sns:CreatePlatformEndpoint'], 'app', ''],
      [['sns:GetEndpointAttributes', 'sns:SetEndpointAttributes', 'sns:DeleteEndpoint'], 'endpoint', '/*'],
    ],
    publish: [[['sns:Publish'], 'endpoint', '/*']],
    read: [[['sns:GetEndpointAttributes'], 'endpoint', '/*']],
  } as const;
  const platforms = [
    'APNS/mobile-health-dev-ios',
    'APNS_SANDBOX/mobile-health-dev-ios',
    'GCM/mobile-health-dev-android',
  ];

  test.each(operations.map(({ id, domain, route }) => ({ id, domain, route })))(
    '$id: may do to the environment’s platform applications what it declares, and nothing else',
    ({ id, domain, route }) => {
      for (const application of applications.filter((one) => existsIn(route, 'dev', one))) {
        const found = statements(domainTemplate(domain, application), `${logicalId(functionName(id))}Role`);
        const toSns = found.filter(({ Action }) => String(Action).includes('sns:'));
        const granted = route.uses?.PushPlatforms ? ofPushPlatforms[route.uses.PushPlatforms] : [];
        const here = 'arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>';
        expect(toSns).toEqual(
          granted.map(([Action, kind, rest]) => {
            return { Effect: 'Allow', Action, Resource: platforms.map((path) => `${here}:${kind}/${path}${rest}`) };
          }),
        );
      }
    },
  );

  const ofBucket = {
    upload: ['s3:PutObject'],
    publish: ['s3:GetObject', 's3:GetObjectVersion', 's3:PutObjectLegalHold'],
    read: ['s3:GetObject', 's3:GetObjectVersion'],
    append: ['s3:PutObject', 's3:GetObject'],
  };

  test.each(operations.map(({ id, domain, route }) => ({ id, domain, route })))(
    '$id: may do to buckets, signing keys and the bus what it declares, and nothing else',
    ({ id, domain, route }) => {
      for (const application of applications.filter((one) => existsIn(route, 'dev', one))) {
        const found = statements(domainTemplate(domain, application), `${logicalId(functionName(id))}Role`);
        const to = (service: RegExp) => found.filter(({ Action }) => service.test(String(Action)));
        const state = (name: string) => `<MobileHealth-dev-State:${name}.Arn>`;
        expect(to(/s3:/)).toEqual(
          bucketsIn(route.uses).flatMap(([name, access]) => [
            { Effect: 'Allow', Action: ofBucket[access], Resource: `${state(name)}/*` },
            ...(access === 'upload' ? [] : [{ Effect: 'Allow', Action: 's3:ListBucket', Resource: state(name) }]),
          ]),
        );
        expect(to(/kms:(Sign|GetPublicKey)/)).toEqual(
          signingKeysIn(route.uses).map(([name, access]) => ({
            Effect: 'Allow',
            Action: access === 'sign' ? ['kms:Sign', 'kms:GetPublicKey'] : ['kms:GetPublicKey'],
            Resource: state(`${name}${settings.dev.signingKeyGenerations.at(-1)}`),
          })),
        );
        expect(to(/events:/)).toEqual([]);
      }
    },
  );

  test('uses the data’s key through the services that hold some of it, and only where it reaches them', () => {
    for (const { template, name, where } of calledByGateway('dev')) {
      const found = statements(template, `${name}Role`);
      const through = found
        .filter(({ Resource }) => Resource === '<MobileHealth-dev-State:Key.Arn>')
        .map(({ Condition }) => JSON.stringify(Condition).replace(/.*ViaService":"(\w+)\..*/, '$1'));
      const reached = ['dynamodb', 's3'].filter((service) =>
        found.some(({ Action }) => String(Action).includes(`${service}:`)),
      );
      expect(through, where).toEqual(reached);
    }
  });
});

describe('the environment variables', () => {
  const variables = (template: Template | undefined, id: string) =>
    (properties(template, id).Environment as { Variables: Record<string, string> }).Variables;

  const app = 'arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:app';
  const connected = {
    'ios/production': `${app}/APNS/mobile-health-dev-ios`,
    'ios/sandbox': `${app}/APNS_SANDBOX/mobile-health-dev-ios`,
    android: `${app}/GCM/mobile-health-dev-android`,
  };

  test.each(operations.map(({ id, domain, route }) => ({ id, domain, route })))(
    '$id: exactly what its route needs',
    ({ id, domain, route }) => {
      for (const application of applications.filter((one) => existsIn(route, 'dev', one))) {
        const tables = withClock(route.uses).map(([table]) => [
          tableVariable(table),
          `<MobileHealth-dev-State:${table}Table>`,
        ]);
        expect(variables(domainTemplate(domain, application), `${logicalId(functionName(id))}Function`)).toEqual({
          ENVIRONMENT: 'dev',
          APPLICATION: application,
          ...Object.fromEntries(tables),
          ...(route.uses?.UserPool && {
            USER_POOL_ID: `<MobileHealth-dev-State:${logicalId(application)}UserPool>`,
            CLIENT_ID: `<MobileHealth-dev-State:${logicalId(application)}MobileAppClient>`,
          }),
          ...Object.fromEntries(
            bucketsIn(route.uses).map(([name]) => [bucketVariable(name), `<MobileHealth-dev-State:${name}>`]),
          ),
          ...Object.fromEntries(
            signingKeysIn(route.uses).map(([name]) => [
              signingKeyVariable(name),
              `<MobileHealth-dev-State:${name}${settings.dev.signingKeyGenerations.at(-1)}.Arn>`,
            ]),
          ),
          ...(route.uses?.PushPlatforms && { PLATFORM_APPLICATIONS: JSON.stringify(connected) }),
          ...(route.uses?.PushPlatforms === 'publish' && { IOS_BUNDLE_ID: settings.dev.iosBundleId }),
          ...(isCollection(route) && {
            CURSOR_KEY: '{{resolve:secretsmanager:<MobileHealth-dev-State:CursorKey>:SecretString}}',
          }),
        });
      }
    },
  );

  test('the authorizer knows its pool, and each client’s key', () => {
    const { API_KEYS, ...others } = variables(stage('dev').templates.Medinfo, 'AuthorizerFunction');
    expect(others).toEqual({
      ENVIRONMENT: 'dev',
      APPLICATION: 'medinfo',
      USER_POOL_ID: '<MobileHealth-dev-State:MedinfoUserPool>',
    });
    expect(JSON.parse(API_KEYS ?? '')).toEqual({
      '<MobileHealth-dev-State:MedinfoMobileAppClient>': 'mobile-health-dev-medinfo-mobile-app',
      '<MobileHealth-dev-State:MedinfoDeveloperToolsClient>': 'mobile-health-dev-medinfo-developer-tools',
      '<MobileHealth-dev-State:MedinfoIntegrationClient>': 'mobile-health-dev-medinfo-integration',
    });
  });

  test('route-not-found knows where it is, and no more', () => {
    expect(variables(stage('prod').templates.Sleepcare, 'RouteNotFoundFunction')).toEqual({
      ENVIRONMENT: 'prod',
      APPLICATION: 'sleepcare',
    });
  });
});

describe('the permission to be invoked', () => {
  const api = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>';

  test('is for the one method and path of one stage', () => {
    expect(properties(domainTemplate('agreements', 'sleepcare'), 'RevokeConsentInvocation')).toEqual({
      Action: 'lambda:InvokeFunction',
      FunctionName: '<RevokeConsentFunction.Arn>',
      Principal: 'apigateway.amazonaws.com',
      SourceArn: `${api}:<SleepcareApi>/de/DELETE/v1/users/agreements/*/consent`,
    });
    expect(properties(domainTemplate('agreements', 'medinfo'), 'ListAgreementsInvocation').SourceArn).toBe(
      `${api}:<MedinfoApi>/v2/GET/users/agreements`,
    );
  });

  test('of route-not-found is for the stage, as it stands on every path', () => {
    const { SourceArn } = properties(stage('dev').templates.Sleepcare, 'RouteNotFoundInvocation');
    expect(SourceArn).toBe(`${api}:<Api>/de/*/*`);
  });

  test('of the authorizer is for the authorizer', () => {
    const { SourceArn } = properties(stage('dev').templates.Sleepcare, 'AuthorizerInvocation');
    expect(SourceArn).toBe(`${api}:<Api>/authorizers/<Authorizer>`);
  });

  test('exists once for each function', () => {
    for (const { template, name } of calledByGateway('dev')) {
      const granted = Object.keys(ofType('AWS::Lambda::Permission', template)).filter(
        (id) => properties(template, id).FunctionName === `<${name}Function.Arn>`,
      );
      expect(granted).toEqual([`${name}Invocation`]);
    }
  });
});

test.each([
  ['dev', 'ios/production, ios/sandbox, android'],
  ['staging', 'none: devices register, and get no push'],
  ['prod', 'none: devices register, and get no push'],
] as const)(
  '%s: without a platform application nothing of SNS is granted, and the output says so',
  (environment, value) => {
    const { State, SleepcareDevices } = stage(environment).templates;
    expect((State as { Outputs?: Record<string, { Value: string }> }).Outputs?.PushPlatforms?.Value).toBe(value);
    const isGranted = JSON.stringify(statements(SleepcareDevices, 'RegisterDeviceRole')).includes('sns:');
    expect(isGranted).toBe(environment === 'dev');
  },
);
