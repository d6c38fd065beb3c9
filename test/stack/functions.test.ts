import { describe, expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { environments } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import { ofKind } from '../../lib/contract/uses.ts';
import { useOfSigningKey } from '../../lib/stack/grants.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { declaredFunctions } from './declared-functions.ts';
import { performerOf } from './expected-statements.ts';
import { functionDifferences } from './function-differences.ts';
import { statementsOf } from './grant-differences.ts';
import { ofType, properties, type Resource, type Stage, stage } from './stage.ts';

/** A function of the dev stage with another text in the place of one, in a copy of the templates. */
function withFault(templates: Stage['templates'], name: string, from: string, to: string): Stage['templates'] {
  const [where = '', id = ''] = name.split('/');
  const text = JSON.stringify(templates[where]?.Resources[id]);
  expect(text, name).toContain(from);
  const resource = JSON.parse(text.replace(from, to)) as Resource;
  const Resources = { ...templates[where]?.Resources, [id]: resource };
  return { ...templates, [where]: { ...templates[where], Resources } };
}

test('every fault of any function is listed, by the function and the difference', () => {
  const faults = [
    ['SleepcareConsents/AgreeRole', '["dynamodb:GetItem"]', '["dynamodb:GetItem","dynamodb:Scan"]'],
    ['SleepcareConsents/AgreeRole', '"dynamodb:ConditionCheckItem"', '"dynamodb:GetItem"'],
    ['SleepcareDevices/ListDevicesFunction', '"DEVICES_TABLE"', '"USERS_TABLE"'],
    ['MedinfoStaff/ListStaffFunction', '"Timeout":10', '"Timeout":30'],
    ['MedinfoStaff/ListStaffLogs', '"RetentionInDays":14', '"RetentionInDays":365'],
    ['SleepcareConsumers/SendMailRole', 'no-reply@dev.example.com', '*'],
  ] as const;
  const { templates } = stage('dev');
  const { ReadHealthFunction: _, ...others } = templates.SleepcareHealth?.Resources ?? {};
  const withoutHealth = { ...templates, SleepcareHealth: { Resources: others } };
  const faulty = faults.reduce<Stage['templates']>(
    (all, [name, from, to]) => withFault(all, name, from, to),
    withoutHealth,
  );
  const inTransaction = 'if ForAnyValue:StringEquals dynamodb:EnclosingOperation TransactWriteItems';
  const ses = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>';
  const bySet = `ses:SendEmail on ${ses}:configuration-set/<State:MailTransport>, if`;
  const byIdentity = `ses:SendEmail on ${ses}:identity/dev.example.com, if`;
  const other = functionDifferences('dev', templates);
  const found = functionDifferences('dev', faulty).filter((one) => !other.includes(one));
  expect(found.toSorted()).toEqual([
    'MedinfoStaff/ListStaff: Timeout is 30, and should be 10',
    'MedinfoStaff/ListStaff: log group: RetentionInDays is 365, and should be 14',
    `SleepcareConsents/Agree: may dynamodb:GetItem on <State:AccountsTable.Arn>, ${inTransaction}, which it does not declare`,
    'SleepcareConsents/Agree: may dynamodb:Scan on <State:ConsentRecordsTable.Arn>, which it does not declare',
    'SleepcareConsents/Agree: may dynamodb:Scan on <State:ConsentStatesTable.Arn>, which it does not declare',
    `SleepcareConsents/Agree: may not dynamodb:ConditionCheckItem on <State:AccountsTable.Arn>, ${inTransaction}`,
    `SleepcareConsumers/SendMail: may not ${bySet} StringEquals ses:FromAddress no-reply@dev.example.com`,
    `SleepcareConsumers/SendMail: may not ${byIdentity} StringEquals ses:FromAddress no-reply@dev.example.com`,
    `SleepcareConsumers/SendMail: may ${bySet} StringEquals ses:FromAddress *, which it does not declare`,
    `SleepcareConsumers/SendMail: may ${byIdentity} StringEquals ses:FromAddress *, which it does not declare`,
    'SleepcareDevices/ListDevices: variable DEVICES_TABLE is absent, and should be "<State:DevicesTable>"',
    'SleepcareDevices/ListDevices: variable USERS_TABLE is "<State:DevicesTable>", and should be absent',
    'SleepcareHealth/ReadHealth: ReadHealthFunction is missing',
  ]);
});

test.each(environments)(
  '%s: each function is what it declares: its grants, its variables, its settings',
  (environment) => {
    expect(functionDifferences(environment, stage(environment).templates).join('\n')).toBe('');
  },
);

test.each(environments)(
  '%s: no function trusts other certificates, loads code by a variable, or shares a state',
  (environment) => {
    const functions = Object.values(stage(environment).templates).flatMap((template) =>
      Object.entries(ofType('AWS::Lambda::Function', template)),
    );
    expect(functions.length).toBeGreaterThan(50);
    for (const [id, { Properties }] of functions) {
      const { Environment, SnapStart } = Properties as { Environment?: { Variables?: object }; SnapStart?: object };
      const variables = Object.keys(Environment?.Variables ?? {});
      // These loosen the check of certificates, name other authorities, or load code: https://nodejs.org/api/cli.html#environment-variables-1
      expect(
        variables.filter((name) => /^(NODE_|SSL_CERT_|OPENSSL_|LD_|AWS_LAMBDA_EXEC)/.test(name)),
        id,
      ).toEqual([]);
      // Environments from one snapshot would begin with one state of the generator of random values.
      expect(SnapStart, id).toBeUndefined();
    }
  },
);

describe('the permission to be invoked', () => {
  const api = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>';

  test('is for the one method and path of one stage', () => {
    const { Sleepcare, Medinfo } = stage('dev').templates;
    expect(properties(Sleepcare, 'RevokeConsentInvocation')).toEqual({
      Action: 'lambda:InvokeFunction',
      FunctionName: expect.stringMatching(/^<ConsentsFunctions\.Outputs\.SleepcareConsentsRevokeConsentFunction/),
      Principal: 'apigateway.amazonaws.com',
      SourceArn: `${api}:<Api>/de/DELETE/v1/users/agreements/*/consent`,
    });
    expect(properties(Medinfo, 'ListAgreementsInvocation').SourceArn).toBe(`${api}:<Api>/v2/GET/users/agreements`);
  });

  test('of route-not-found is for the stage, as it stands on every path', () => {
    const { SourceArn } = properties(stage('dev').templates.Sleepcare, 'RouteNotFoundInvocation');
    expect(SourceArn).toBe(`${api}:<Api>/de/*/*`);
  });

  test('of the authorizer is for the API’s authorizers, of which there is one', () => {
    const { SourceArn } = properties(stage('dev').templates.Sleepcare, 'AuthorizerInvocation');
    expect(SourceArn).toBe(`${api}:<Api>/authorizers/*`);
  });

  test('exists once for each function', () => {
    const called = declaredFunctions('dev').filter(({ name }) => !/^\w+Consumers\//.test(name));
    const wrong = called.flatMap(({ name, application }) => {
      const [, id = ''] = name.split('/');
      const api = stage('dev').templates[logicalId(application)];
      const calls = new RegExp(`[<a-z]${id}Function\\.Arn>$`);
      const granted = Object.keys(ofType('AWS::Lambda::Permission', api)).filter((one) =>
        calls.test(String(properties(api, one).FunctionName)),
      );
      return granted.join() === `${id}Invocation` ? [] : [`${name}: ${granted.join() || 'may not be invoked'}`];
    });
    expect(wrong).toEqual([]);
  });
});

test.each(environments)('%s: what a function may invoke is there, in its own application', (environment) => {
  const { templates } = stage(environment);
  const missing = declaredFunctions(environment).flatMap(({ name, uses, application }) =>
    ofKind(uses, 'procedure').flatMap(({ procedure }) => {
      const wanted = performerOf(procedure, application, environment);
      const own = templates[`${logicalId(application)}Consumers`];
      const found = Object.keys(ofType('AWS::Lambda::Function', own)).filter(
        (id) => properties(own, id).FunctionName === wanted,
      );
      return found.length === 1 ? [] : [`${name}: ${found.length} functions are ${wanted}`];
    }),
  );
  expect(missing).toEqual([]);
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
    const isGranted = JSON.stringify(statementsOf(SleepcareDevices, 'RegisterDevice')).includes('sns:');
    expect(isGranted).toBe(environment === 'dev');
  },
);

test.each(environments)('%s: one function sends mail, only from the environment’s address', (environment) => {
  const { from, identity } = settings[environment].mail;
  const senders = Object.values(stage(environment).templates).flatMap((template) =>
    Object.keys(ofType('AWS::Lambda::Function', template)).flatMap((id) => {
      const name = id.replace(/Function$/, '');
      const found = statementsOf(template, name).filter(({ Action }) => JSON.stringify(Action).includes('ses:'));
      return found.map((statement) => ({ name, statement }));
    }),
  );
  expect(senders).toEqual([
    {
      name: 'SendMail',
      statement: {
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        Resource: [
          expect.stringMatching(new RegExp(`:ses:.*:identity/${identity.replaceAll('.', '\\.')}$`)),
          expect.stringMatching(/:ses:.*:configuration-set\/<State:MailTransport>$/),
        ],
        Condition: { StringEquals: { 'ses:FromAddress': from } },
      },
    },
  ]);
});

describe('the functions that erase, release and sign', () => {
  const state = (name: string) => `arn:<AWS::Partition>:s3:::<State:${name}>`;
  const found = (domain: string, id: string, service: RegExp) =>
    statementsOf(stage('dev').templates[logicalId('sleepcare', domain)], id).filter(({ Action }) =>
      service.test(String(Action)),
    );
  const puts = (...prefixes: string[]) => ({
    Effect: 'Allow',
    Action: ['s3:PutObject'],
    Resource: alone(prefixes.map((prefix) => `${state('Evidence')}/${prefix}*`)),
    Condition: { Null: { 's3:if-none-match': 'false' } },
  });
  const reads = (...prefixes: string[]) => [
    {
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:GetObjectVersion'],
      Resource: alone(prefixes.map((prefix) => `${state('Evidence')}/${prefix}*`)),
    },
    {
      Effect: 'Allow',
      Action: 's3:ListBucketVersions',
      Resource: state('Evidence'),
      Condition: { StringLike: { 's3:prefix': alone(prefixes.map((prefix) => `${prefix}*`)) } },
    },
  ];
  const alone = (texts: string[]) => (texts.length === 1 ? texts[0] : texts);

  test('put evidence below their own prefixes, and who only logs reads none', () => {
    const exported = state('PersonalExportFiles');
    expect(found('consumers', 'EraseAccounts', /s3:/)).toEqual([
      puts('erasures/', 'erasure-decisions/', 'erasure-begun/'),
      ...reads('erasure-requests/', 'erasure-decisions/', 'erasure-begun/'),
      { Effect: 'Allow', Action: ['s3:DeleteObject'], Resource: `${exported}/*` },
      { Effect: 'Allow', Action: 's3:ListBucket', Resource: exported },
    ]);
    expect(found('consumers', 'ReleaseConsents', /s3:/)).toEqual([
      puts('erasures/', 'tombstones/'),
      ...reads('erasure-requests/', 'erasure-decisions/', 'erasure-begun/', 'tombstones/'),
    ]);
    expect(found('consumers', 'WriteCheckpoint', /s3:/)).toEqual([puts('ledger/'), ...reads('ledger/')]);
  });

  test('and nobody else puts what shows that somebody asked, that an erasure began, or that a chain was released', () => {
    const whoPuts = (prefix: string) =>
      [
        ...operations.map(({ id, route }) => ({ id, uses: route.uses })),
        ...consumers.map(({ id, consumer }) => ({ id, uses: consumer.uses })),
      ]
        .filter(({ uses }) =>
          ofKind(uses, 'bucket').some((use) => 'prefix' in use && use.prefix === prefix && use.access !== 'list'),
        )
        .map(({ id }) => id);
    expect(whoPuts('erasure-requests/')).toEqual(['requestErasure', 'requestErasureOf']);
    expect(whoPuts('erasure-begun/')).toEqual(['eraseAccounts']);
    expect(whoPuts('tombstones/')).toEqual(['releaseConsents']);
    expect(whoPuts('erasure-decisions/')).toEqual(['restoreAccount', 'eraseAccounts']);
    expect(whoPuts('tombstone-revocations/')).toEqual([]);
    expect(whoPuts('imports/')).toEqual([]);
    expect(whoPuts('receipt-keys/')).toEqual(['vouchForReceiptKeys']);
    expect(whoPuts('receipt-key-revocations/')).toEqual([]);
  });

  test('a function that continues what earlier keys signed reads their public parts, and signs only with the current one', () => {
    const uses = consumers.flatMap(({ id, consumer }) => {
      return ofKind(consumer.uses, 'signingKey').map(({ signingKey, access }) => [id, signingKey.name, access]);
    });
    expect(uses.toSorted()).toEqual([
      ['checkLedger', 'ImportKey', 'verify'],
      ['checkLedger', 'LedgerKey', 'verify'],
      ['checkLedger', 'TombstoneKey', 'verify'],
      ['makeResearchExport', 'ResearchManifestKey', 'sign'],
      ['makeResearchExport', 'RevocationKey', 'verify'],
      ['makeResearchExport', 'VouchingKey', 'verify'],
      ['releaseConsents', 'TombstoneKey', 'continue'],
      ['signReceipt', 'ReceiptKey', 'continue'],
      ['signReceipt', 'RevocationKey', 'verify'],
      ['signReceipt', 'VouchingKey', 'verify'],
      ['vouchForReceiptKeys', 'ReceiptKey', 'verify'],
      ['vouchForReceiptKeys', 'ResearchManifestKey', 'verify'],
      ['vouchForReceiptKeys', 'VouchingKey', 'continue'],
      ['watchConsentReceipts', 'ImportKey', 'verify'],
      ['watchConsentReceipts', 'ReceiptKey', 'verify'],
      ['watchConsentReceipts', 'RevocationKey', 'verify'],
      ['watchConsentReceipts', 'TombstoneKey', 'verify'],
      ['watchConsentReceipts', 'VouchingKey', 'verify'],
      ['watchConsentRecords', 'ImportKey', 'verify'],
      ['watchConsentRecords', 'TombstoneKey', 'verify'],
      ['watchReceiptKeys', 'ReceiptKey', 'verify'],
      ['watchReceiptKeys', 'ResearchManifestKey', 'verify'],
      ['watchReceiptKeys', 'RevocationKey', 'verify'],
      ['watchReceiptKeys', 'VouchingKey', 'verify'],
      ['writeCheckpoint', 'LedgerKey', 'continue'],
    ]);
    const current = { Effect: 'Allow', Action: ['kms:Sign', 'kms:GetPublicKey'], Resource: 'current' };
    expect(useOfSigningKey('current', 'continue', ['old', 'older'])).toEqual([
      current,
      { Effect: 'Allow', Action: ['kms:GetPublicKey'], Resource: ['old', 'older'] },
    ]);
    for (const earlier of [[], ['old']]) expect(useOfSigningKey('current', 'sign', earlier)).toEqual([current]);
  });

  test('and no function with a route signs anything', () => {
    const signing = operations.filter(({ route }) =>
      ofKind(route.uses, 'signingKey').some(({ access }) => access !== 'verify'),
    );
    expect(signing.map(({ id }) => id)).toEqual([]);
  });

  test('delete endpoints of every platform that the environment ever had, in each environment', () => {
    for (const environment of environments) {
      const { SleepcareConsumers } = stage(environment).templates;
      const sns = statementsOf(SleepcareConsumers, 'EraseAccounts').filter(({ Action }) =>
        String(Action).includes('sns:'),
      );
      const Resource = `arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:endpoint/*/mobile-health-${environment}-*`;
      expect(sns).toEqual([{ Effect: 'Allow', Action: ['sns:DeleteEndpoint'], Resource }]);
    }
  });
});
