import { describe, expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { AccessLog, CareRelations, Staff } from '../../lib/contract/access.ts';
import { Accounts } from '../../lib/contract/accounts.ts';
import type { BucketUse, PrefixAccess } from '../../lib/contract/bucket-uses.ts';
import { bucketVariable } from '../../lib/contract/buckets.ts';
import { Clock } from '../../lib/contract/clock.ts';
import { ConsentStates } from '../../lib/contract/consent-states.ts';
import { runsIn } from '../../lib/contract/consumer.ts';
import { type Application, applications, type Environment, environments } from '../../lib/contract/deployments.ts';
import { queueVariable } from '../../lib/contract/queues.ts';
import { existsIn, hasCursors, type Route } from '../../lib/contract/route.ts';
import { secretVariable } from '../../lib/contract/secrets.ts';
import { signingKeyVariable } from '../../lib/contract/signing-keys.ts';
import { listedTables, listVariable } from '../../lib/contract/table-names.ts';
import { type Table, tableVariable } from '../../lib/contract/tables.ts';
import {
  append,
  batch,
  eventBusVariable,
  get,
  ofKind,
  operatorsVariable,
  read,
  type TableAccess,
  tablesIn,
  type Uses,
} from '../../lib/contract/uses.ts';
import { useOfSigningKey } from '../../lib/stack/grants.ts';
import { functionName, logicalId } from '../../lib/stack/names.ts';
import { settings } from '../../lib/stack/settings.ts';
import { ofType, policiesOf, properties, resource, stage, type Template } from './stage.ts';

/** In dev and staging whoever uses a table may ask for the time. */
const withClock = (uses: Uses | undefined): ReturnType<typeof tablesIn> => {
  const declared = tablesIn(uses);
  const isReached = declared.some(([table]) => table === Clock);
  return declared.length === 0 || isReached ? declared : [...declared, [Clock, ['read']]];
};

/** Who looks at another person's data asks why it may, and writes that down. */
const lookingUses = ({ about }: Route): Uses => {
  if (!about) return [];
  const always = [read(Staff), append(AccessLog)];
  if (about.relation !== 'care') return always;
  if (about.each) return [...always, batch(ConsentStates), batch(Accounts)];
  return [...always, read(CareRelations), get(Accounts), ...(about.consent ? [get(ConsentStates)] : [])];
};

/** Who is called in somebody's name asks whether the account is open, and writes while it is. */
const withAccounts = (route: Route): ReturnType<typeof tablesIn> => {
  const reached = withClock([...(route.uses ?? []), ...lookingUses(route)]);
  if (route.auth === 'public' || reached.length === 0) return reached;
  const isAccounts = ([table]: (typeof reached)[number]) => table === Accounts;
  const writes = tablesIn(route.uses).some(([, all]) =>
    all.some((one) => /write|remove|append|replace|adjust/.test(one)),
  );
  const asked = [
    'get',
    ...(writes && !['decides', 'writes'].includes(String(route.whenClosed)) ? ['check'] : []),
  ] as TableAccess[];
  const accesses = [...new Set([...(reached.find(isAccounts)?.[1] ?? []), ...asked])];
  return [...reached.filter((one) => !isAccounts(one)), [Accounts, accesses]];
};

type Statement = {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: { StringEquals?: object; ArnLike?: object; StringLike?: Readonly<Record<string, string | string[]>> };
};

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
    .filter(({ consumer }) => tablesIn(consumer.uses).some(([, accesses]) => accesses.includes('expire')))
    .map(({ id }) => logicalId(functionName(id))),
);
const scheduled = new Set(
  consumers.filter(({ consumer }) => consumer.schedule).map(({ id }) => logicalId(functionName(id))),
);

const long = new Set(
  consumers.filter(({ consumer }) => consumer.queue?.isLong).map(({ id }) => logicalId(functionName(id))),
);

const domainTemplate = (domain: string, application: string, environment: Environment = 'dev') =>
  stage(environment).templates[logicalId(application, domain)];

/** What a function declares, and where it is: of routes and consumers alike. */
type Declared = {
  readonly id: string;
  readonly uses: Uses | undefined;
  /** A consumer of messages or changes knows only real time. */
  readonly reached: ReturnType<typeof tablesIn>;
  /** Of these, a consumer's that share one variable. */
  readonly listed: readonly Table[];
  readonly stream?: string | undefined;
  readonly queue?: string | undefined;
  readonly hasCursors: boolean;
  readonly there: readonly Application[];
  readonly template: (application: Application) => Template | undefined;
};

const declared: readonly Declared[] = [
  ...operations.map(({ id, domain, route }) => ({
    id,
    uses: route.uses,
    reached: withAccounts(route),
    listed: [],
    hasCursors: hasCursors(route),
    there: applications.filter((one) => existsIn(route, 'dev', one)),
    template: (application: Application) => domainTemplate(domain, application),
  })),
  ...consumers.map(({ id, consumer }) => ({
    id,
    uses: consumer.uses,
    reached: consumer.schedule ? withClock(consumer.uses) : tablesIn(consumer.uses),
    listed: listedTables(tablesIn(consumer.uses).map(([table]) => table)),
    stream: consumer.stream?.name,
    queue: consumer.queue?.name,
    hasCursors: false,
    there: applications.filter((one) => runsIn(consumer, one)),
    template: (application: Application) => domainTemplate('consumers', application),
  })),
];

/** In each application where it is: its role's statements. */
function rolesOf({ id, there, template }: Declared): { application: Application; found: Statement[] }[] {
  const role = `${logicalId(functionName(id))}Role`;
  return there.map((application) => ({ application, found: statements(template(application), role) }));
}

/** Its names in one order, so that two that say the same are written alike. */
function inOrder(statement: object): object {
  return Object.fromEntries(Object.entries(statement).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a statement says of several tables is said of each. */
function single(found: readonly Statement[]): Statement[] {
  return found.flatMap((each) =>
    Array.isArray(each.Resource) && String(each.Action).startsWith('dynamodb:')
      ? (each.Resource as string[]).map((Resource) => ({ ...each, Resource }))
      : [each],
  );
}

/** @param role `<function>Role`; of a function that runs as another stack's role, what it adds to that */
function statements(template: Template | undefined, role: string): Statement[] {
  const name = role.replace(/Role$/, '');
  if (expires.has(name)) {
    return single((properties(template, `${name}Policy`).PolicyDocument as { Statement: Statement[] }).Statement);
  }
  return single(policiesOf(template, role).flatMap(({ Statement }) => Statement as Statement[]));
}

test.each(environments)('%s: every function is one of ours, and names its bundle', (environment) => {
  for (const application of applications) {
    const routed = operations.filter(({ route }) => existsIn(route, environment, application));
    const here = [...routed, ...consumers.filter(({ consumer }) => runsIn(consumer, application))];
    const found = functions(environment).filter(({ where }) => where.startsWith(logicalId(application)));
    const named = found.map(({ template, name }) => resource(template, `${name}Function`).Metadata?.operation);
    const authorizer = application === 'medinfo' ? 'staff-authorizer' : 'authorizer';
    expect(named.sort()).toEqual([authorizer, 'route-not-found', ...here.map(({ id }) => functionName(id))].sort());
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
      Role: expires.has(name) ? `<State:ExpiryRole.Arn>` : `<${name}Role.Arn>`,
    });
    // What runs by the clock nobody waits for.
    expect(Timeout, where).toBeLessThanOrEqual(scheduled.has(name) ? 900 : long.has(name) ? 60 : 10);
    expect(MemorySize, where).toBeLessThanOrEqual(1769);
  }
});

test.each(environments)('%s: a log group each, kept for the environment’s time, under its key', (environment) => {
  for (const { template, name, where } of functions(environment)) {
    expect(properties(template, `${name}Logs`), where).toEqual({
      RetentionInDays: settings[environment].logRetentionDays,
      KmsKeyId: `<State:Key.Arn>`,
    });
    expect(resource(template, `${name}Logs`).DeletionPolicy).toBe(
      environment === 'prod' ? 'RetainExceptOnCreate' : 'Delete',
    );
  }
});

describe('a role', () => {
  test.each(environments)(
    '%s: is the function’s own, with no policy that others share and no wildcard but X-Ray’s',
    (environment) => {
      for (const { template, name, where } of functions(environment)) {
        const role = expires.has(name)
          ? properties(stage(environment).templates.State, 'ExpiryRole')
          : properties(template, `${name}Role`);
        for (const managed of (role.ManagedPolicyArns ?? []) as string[]) {
          expect(managed, where).toMatch(new RegExp(`^<${name}Tables\\d>$`));
        }
        expect(JSON.stringify(role.AssumeRolePolicyDocument)).toContain('lambda.amazonaws.com');
        for (const { Action, Resource } of statements(template, `${name}Role`)) {
          if (Resource === '*') expect(Action, where).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
          for (const action of [Action].flat()) expect(action, where).not.toMatch(/^\*|:\*$/);
        }
      }
    },
  );

  test.each(environments)('%s: writes only to its own log group', (environment) => {
    for (const { template, name, where } of functions(environment)) {
      const logs = statements(template, `${name}Role`).filter(({ Action }) => String(Action).includes('logs:'));
      expect(logs, where).toEqual([
        { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: `<${name}Logs.Arn>` },
      ]);
    }
  });

  const readsStream = (table: string) => [
    {
      Effect: 'Allow',
      Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      Resource: `<State:${table}TableStream.Arn>`,
    },
    {
      Effect: 'Allow',
      Action: 'dynamodb:ListStreams',
      Resource: `<State:${table}Table.Arn>/stream/*`,
    },
  ];
  const inTransaction = (...Action: string[]) => ({
    Action,
    Condition: { 'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } },
  });
  /** By what is declared of a table, together. */
  const granted = new Map<string, object[]>(
    Object.entries({
      get: [{ Action: ['dynamodb:GetItem'] }],
      read: [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }],
      batch: [{ Action: ['dynamodb:BatchGetItem'] }],
      'batch read': [{ Action: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'] }],
      'batch get': [{ Action: ['dynamodb:BatchGetItem', 'dynamodb:GetItem'] }],
      'read batch': [{ Action: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchGetItem'] }],
      'batch replace': [
        { Action: ['dynamodb:BatchGetItem'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem'),
      ],
      'batch read replace': [
        { Action: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem'),
      ],
      scan: [{ Action: ['dynamodb:Scan'] }],
      write: [{ Action: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'] }],
      remove: [{ Action: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:DeleteItem'] }],
      discard: [inTransaction('dynamodb:DeleteItem')],
      // Marks sessions as ended, and erases them later.
      'adjust remove': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:DeleteItem'] },
        inTransaction('dynamodb:UpdateItem'),
      ],
      check: [inTransaction('dynamodb:ConditionCheckItem')],
      'check get': [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:ConditionCheckItem')],
      'get check': [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:ConditionCheckItem')],
      'replace get': [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem')],
      replace: [inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem')],
      append: [inTransaction('dynamodb:PutItem')],
      'append get': [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:PutItem')],
      'append get check': [
        { Action: ['dynamodb:GetItem'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:ConditionCheckItem'),
      ],
      'replace read get': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem'),
      ],
      'get append': [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:PutItem')],
      'get append read': [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }, inTransaction('dynamodb:PutItem')],
      'append read': [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }, inTransaction('dynamodb:PutItem')],
      'replace read': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem'),
      ],
      'read append': [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }, inTransaction('dynamodb:PutItem')],
      adjust: [inTransaction('dynamodb:UpdateItem')],
      'batch append': [{ Action: ['dynamodb:BatchGetItem'] }, inTransaction('dynamodb:PutItem')],
      'read adjust': [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }, inTransaction('dynamodb:UpdateItem')],
      'get replace': [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem')],
      'get adjust': [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:UpdateItem')],
      'get append adjust': [{ Action: ['dynamodb:GetItem'] }, inTransaction('dynamodb:PutItem', 'dynamodb:UpdateItem')],
      'read append adjust': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:UpdateItem'),
      ],
      'read replace': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem'),
      ],
      'replace get check': [
        { Action: ['dynamodb:GetItem'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'),
      ],
      // Who looks reads the own sites, too.
      'read read': [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }],
      'read append read': [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }, inTransaction('dynamodb:PutItem')],
      'append read append': [{ Action: ['dynamodb:GetItem', 'dynamodb:Query'] }, inTransaction('dynamodb:PutItem')],
      'read replace adjust': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem'),
      ],
      'write append': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'] },
        inTransaction('dynamodb:PutItem'),
      ],
      expire: [{ Action: ['dynamodb:Query'] }],
      'scan get': [{ Action: ['dynamodb:Scan', 'dynamodb:GetItem'] }],
      'scan read': [{ Action: ['dynamodb:Scan', 'dynamodb:GetItem', 'dynamodb:Query'] }],
      'read append check': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:ConditionCheckItem'),
      ],
      'read replace check': [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query'] },
        inTransaction('dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'),
      ],
    }),
  );
  const grantsOf = (accesses: readonly TableAccess[]) => {
    const found = granted.get(accesses.join(' '));
    if (!found) throw new Error(`what ${accesses.join(' and ')} come to has no line above`);
    return found;
  };

  test.each(declared)('$id: may do to tables what it declares, and nothing else', (each) => {
    for (const { found } of rolesOf(each)) {
      const toTables = found.filter(({ Action }) => String(Action).includes('dynamodb:'));
      const expected = each.reached.flatMap(([{ name }, accesses]) =>
        grantsOf(accesses).map((statement) => ({
          Effect: 'Allow',
          ...statement,
          Resource: `<State:${name}Table.Arn>`,
        })),
      );
      // In whichever order: where there are many, those that are alike are one statement.
      const sorted = (all: readonly object[]) =>
        all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      const wanted = [...expected, ...(each.stream ? readsStream(each.stream) : [])];
      expect(sorted(toTables.map(inOrder))).toEqual(sorted(wanted.map(inOrder)));
    }
  });

  const ofUserPool = {
    renew: [],
    authenticate: [{ Action: ['cognito-idp:AdminInitiateAuth', 'cognito-idp:AdminRespondToAuthChallenge'] }],
    read: [{ Action: ['cognito-idp:AdminGetUser'] }],
    'read-patients': [{ Action: ['cognito-idp:AdminGetUser'] }],
    'close-patients': [{ Action: ['cognito-idp:AdminUserGlobalSignOut'] }],
    close: [{ Action: ['cognito-idp:AdminUserGlobalSignOut'] }],
    enrol: [
      {
        Action: [
          'cognito-idp:AdminCreateUser',
          'cognito-idp:AdminGetUser',
          'cognito-idp:AdminAddUserToGroup',
          'cognito-idp:AdminSetUserPassword',
        ],
      },
    ],
    password: [
      {
        Action: ['cognito-idp:AdminGetUser', 'cognito-idp:AdminSetUserPassword', 'cognito-idp:AdminUserGlobalSignOut'],
      },
    ],
    address: [{ Action: ['cognito-idp:AdminGetUser', 'cognito-idp:AdminUpdateUserAttributes'] }],

    'second-factor': [{ Action: ['cognito-idp:AdminGetUser', 'cognito-idp:AdminDeleteSoftwareToken'] }],
    staff: [
      {
        Action: [
          'cognito-idp:AdminGetUser',
          'cognito-idp:AdminListGroupsForUser',
          'cognito-idp:AdminAddUserToGroup',
          'cognito-idp:AdminRemoveUserFromGroup',
          'cognito-idp:AdminDisableUser',
          'cognito-idp:AdminEnableUser',
          'cognito-idp:AdminUserGlobalSignOut',
        ],
      },
    ],
    invite: [{ Action: ['cognito-idp:AdminCreateUser'] }],
    'manage-patients': [
      {
        Action: [
          'cognito-idp:AdminGetUser',
          'cognito-idp:AdminDisableUser',
          'cognito-idp:AdminEnableUser',
          'cognito-idp:AdminUserGlobalSignOut',
        ],
      },
    ],
    erase: [
      {
        Action: ['cognito-idp:AdminDisableUser', 'cognito-idp:AdminUserGlobalSignOut', 'cognito-idp:AdminDeleteUser'],
      },
    ],
  } as const;

  test.each(declared)('$id: may do to its user pool what it declares, and nothing else', (each) => {
    for (const { application, found } of rolesOf(each)) {
      const toPools = found.filter(({ Action }) => String(Action).includes('cognito'));
      const Resource = `<State:${logicalId(poolOf(each.uses, application))}UserPool.Arn>`;
      const granted = ofKind(each.uses, 'userPool').flatMap((use) => [...ofUserPool[use.userPool]]);
      expect(toPools).toEqual(granted.map(({ Action }) => ({ Effect: 'Allow', Action, Resource })));
    }
  });

  const ofPushPlatforms = {
    register: [
      [['sns:CreatePlatformEndpoint'], 'app', ''],
      [['sns:GetEndpointAttributes', 'sns:SetEndpointAttributes', 'sns:DeleteEndpoint'], 'endpoint', '/*'],
    ],
    publish: [[['sns:Publish'], 'endpoint', '/*']],
    read: [[['sns:GetEndpointAttributes'], 'endpoint', '/*']],
  } as const;
  const toAlarms = { Effect: 'Allow', Action: 'sns:Publish', Resource: '<State:Alarms>' };
  const platforms = [
    'APNS/mobile-health-dev-ios',
    'APNS_SANDBOX/mobile-health-dev-ios',
    'GCM/mobile-health-dev-android',
  ];

  test.each(declared)(
    '$id: may do to the environment’s platform applications what it declares, and nothing else',
    (each) => {
      const here = 'arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>';
      const access = ofKind(each.uses, 'pushPlatforms')[0]?.pushPlatforms;
      for (const { found } of rolesOf(each)) {
        const toTopics = ofKind(each.uses, 'operators').length > 0 ? [toAlarms] : [];
        expect(found.filter(({ Resource }) => Resource === toAlarms.Resource)).toEqual(toTopics);
        const toSns = found.filter(
          ({ Action, Resource }) => String(Action).includes('sns:') && Resource !== toAlarms.Resource,
        );
        if (access === 'erase') {
          const Resource = `${here}:endpoint/*/mobile-health-dev-*`;
          expect(toSns).toEqual([{ Effect: 'Allow', Action: ['sns:DeleteEndpoint'], Resource }]);
          continue;
        }
        const granted = access ? ofPushPlatforms[access] : [];
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
    hold: ['s3:GetObject', 's3:GetObjectVersion'],
    read: ['s3:GetObject', 's3:GetObjectVersion'],
    keep: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
    clear: ['s3:DeleteObject'],
  };
  const ofPrefix = (bucket: string, prefix: string, access: PrefixAccess) => {
    const Resource = `${bucket}/${prefix}*`;
    const listed = { StringLike: { 's3:prefix': `${prefix}*` } };
    return [
      ...(access === 'list'
        ? []
        : [{ Action: ['s3:PutObject'], Resource, Condition: { Null: { 's3:if-none-match': 'false' } } }]),
      ...(access !== 'log'
        ? [
            { Action: ['s3:GetObject', 's3:GetObjectVersion'], Resource },
            { Action: 's3:ListBucketVersions', Resource: bucket, Condition: listed },
          ]
        : []),
    ];
  };
  const toBucket = (bucket: string, use: BucketUse): object[] => {
    if ('prefix' in use) return ofPrefix(bucket, use.prefix, use.access);
    const { access } = use;
    const listed = access === 'upload' ? [] : [{ Action: 's3:ListBucket', Resource: bucket }];
    const held = { 's3:object-lock-legal-hold': 'ON' };
    const holds = { Action: 's3:PutObjectLegalHold', Condition: { StringEquals: held }, Resource: `${bucket}/*` };
    return [{ Action: ofBucket[access], Resource: `${bucket}/*` }, ...(access === 'hold' ? [holds] : []), ...listed];
  };
  /** What is granted of several prefixes at once, of each. */
  const single = ({ Resource, Condition, ...granted }: Statement): object[] => {
    const prefixes = [Condition?.StringLike?.['s3:prefix'] ?? []].flat();
    return [Resource].flat().flatMap((one): object[] => {
      if (prefixes.length === 0) return [{ ...granted, Resource: one, ...(Condition && { Condition }) }];
      return prefixes.map((prefix) => {
        const StringLike = { ...Condition?.StringLike, 's3:prefix': prefix };
        return { ...granted, Resource: one, Condition: { ...Condition, StringLike } };
      });
    });
  };
  const byText = (one: object, other: object) => (textOf(one) < textOf(other) ? -1 : 1);
  const textOf = (statement: object) => JSON.stringify(Object.entries(statement).toSorted());
  const state = (name: string) => `<State:${name}.Arn>`;
  const allowed = (statements: object[]) => statements.map((one) => ({ Effect: 'Allow', ...one }));

  test.each(declared)('$id: may do to buckets what it declares, and nothing else', (each) => {
    const failures = state('StreamFailures');
    const ofStream = [
      { Action: 's3:ListBucket', Resource: failures },
      { Action: 's3:PutObject', Resource: `${failures}/*` },
    ];
    const expected = ofKind(each.uses, 'bucket').flatMap((use) => toBucket(state(use.bucket.name), use));
    for (const { found } of rolesOf(each)) {
      const toBuckets = found.filter(({ Action }) => String(Action).includes('s3:'));
      expect(toBuckets.flatMap(single).toSorted(byText)).toEqual(
        allowed([...expected, ...(each.stream ? ofStream : [])]).toSorted(byText),
      );
    }
  });

  test.each(declared)('$id: may do to signing keys, queues and the bus what it declares, and nothing else', (each) => {
    for (const { found } of rolesOf(each)) {
      const to = (service: RegExp) => found.filter(({ Action }) => service.test(String(Action)));
      expect(to(/kms:(Sign|GetPublicKey)/)).toEqual(
        ofKind(each.uses, 'signingKey').map(({ signingKey: { name }, access }) => ({
          Effect: 'Allow',
          Action: access === 'verify' ? ['kms:GetPublicKey'] : ['kms:Sign', 'kms:GetPublicKey'],
          Resource: state(`${name}${settings.dev.signingGeneration}`),
        })),
      );
      const receives = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
      expect(to(/sqs:/)).toEqual(
        allowed([
          ...ofKind(each.uses, 'queue').map(({ queue }) => ({
            Action: 'sqs:SendMessage',
            Resource: state(queue.name),
          })),
          ...(each.queue ? [{ Action: receives, Resource: state(each.queue) }] : []),
        ]),
      );
      const publishes = [{ Action: 'events:PutEvents', Resource: state('EventBus') }];
      expect(to(/events:/)).toEqual(allowed(ofKind(each.uses, 'eventBus').length > 0 ? publishes : []));
    }
  });

  test('uses the data’s key through the services that hold some of it, and only where it reaches them', () => {
    for (const { template, name, where } of calledByGateway('dev')) {
      const found = statements(template, `${name}Role`);
      const through = found
        .filter(({ Resource, Condition }) => Resource === '<State:Key.Arn>' && Condition?.StringEquals)
        .map(({ Condition }) => JSON.stringify(Condition).replace(/.*ViaService":"(\w+)\..*/, '$1'));
      const reached = ['dynamodb', 's3', 'sqs'].filter((service) =>
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

  test.each(declared)('$id: exactly what it declares', (each) => {
    const { uses } = each;
    const [push] = ofKind(uses, 'pushPlatforms');
    const ofState = (id: string) => `<State:${id}>`;
    const { listed } = each;
    const named = each.reached.filter(([table]) => !listed.includes(table));
    for (const application of each.there) {
      expect(variables(each.template(application), `${logicalId(functionName(each.id))}Function`)).toEqual({
        ENVIRONMENT: 'dev',
        APPLICATION: application,
        ...Object.fromEntries(named.map(([table]) => [tableVariable(table), ofState(`${table.name}Table`)])),
        ...(listed.length > 0 && {
          [listVariable(listed)]: listed.map(({ name }) => `!(~(${ofState(`${name}Table`)}))`).join(),
        }),
        ...Object.fromEntries(ofKind(uses, 'queue').map(({ queue }) => [queueVariable(queue), ofState(queue.name)])),
        ...(ofKind(uses, 'eventBus').length > 0 && { [eventBusVariable]: ofState('EventBus') }),
        ...(ofKind(uses, 'operators').length > 0 && { [operatorsVariable]: ofState('Alarms') }),
        ...(ofKind(uses, 'mail').length > 0 && { MAIL_FROM: 'no-reply@dev.example.com' }),
        ...(ofKind(uses, 'userPool').length > 0 && {
          USER_POOL_ID: ofState(`${logicalId(poolOf(each.uses, application))}UserPool`),
          CLIENT_ID: ofState(`${logicalId(poolOf(each.uses, application))}MobileAppClient`),
        }),
        ...Object.fromEntries(
          ofKind(uses, 'bucket').map(({ bucket }) => [bucketVariable(bucket), ofState(bucket.name)]),
        ),
        ...Object.fromEntries(
          ofKind(uses, 'signingKey').map(({ signingKey }) => [
            signingKeyVariable(signingKey),
            ofState(`${signingKey.name}${settings.dev.signingGeneration}.Arn`),
          ]),
        ),
        ...Object.fromEntries(
          ofKind(uses, 'secret').map(({ secret }) => [
            secretVariable(secret),
            `{{resolve:secretsmanager:${ofState(secret.name)}:SecretString}}`,
          ]),
        ),
        ...(push && push.pushPlatforms !== 'erase' && { PLATFORM_APPLICATIONS: JSON.stringify(connected) }),
        ...(push?.pushPlatforms === 'publish' && { IOS_BUNDLE_ID: settings.dev.iosBundleId }),
        ...(each.hasCursors && {
          CURSOR_KEY: '{{resolve:secretsmanager:<State:CursorKey>:SecretString}}',
        }),
      });
    }
  });

  test('a function with a secret among them keeps them under the environment’s key, and no other does', () => {
    for (const { template, name, where } of functions('dev')) {
      const hasSecret = JSON.stringify(variables(template, `${name}Function`)).includes('{{resolve:secretsmanager:');
      expect(properties(template, `${name}Function`).KmsKeyArn, where).toBe(hasSecret ? '<State:Key.Arn>' : undefined);
      const reads = statements(template, `${name}Role`).filter(({ Action }) => Action === 'kms:Decrypt');
      expect(
        reads.filter(({ Condition }) => JSON.stringify(Condition).includes('aws:lambda:FunctionArn')),
        where,
      ).toHaveLength(hasSecret ? 1 : 0);
    }
  });

  test('the authorizer knows its pool, and each client’s key', () => {
    const { API_KEYS, ...others } = variables(stage('dev').templates.Medinfo, 'AuthorizerFunction');
    expect(others).toEqual({
      ENVIRONMENT: 'dev',
      APPLICATION: 'medinfo',
      USER_POOL_ID: '<State:MedinfoUserPool>',
      STAFF_ACCOUNTS_TABLE: '<State:StaffAccountsTable>',
    });
    expect(JSON.parse(API_KEYS ?? '')).toEqual({
      '<State:MedinfoMobileAppClient>': 'mobile-health-dev-medinfo-mobile-app',
      '<State:MedinfoDeveloperToolsClient>': 'mobile-health-dev-medinfo-developer-tools',
      '<State:MedinfoIntegrationClient>': 'mobile-health-dev-medinfo-integration',
    });
  });

  test('that of the app for patients has no table, and no right to one', () => {
    const { Sleepcare, Medinfo } = stage('dev').templates;
    expect(variables(Sleepcare, 'AuthorizerFunction')).not.toHaveProperty('STAFF_ACCOUNTS_TABLE');
    const tablesOf = (template: Template | undefined) =>
      statements(template, 'AuthorizerRole').filter(({ Action }) => String(Action).includes('dynamodb'));
    expect(tablesOf(Sleepcare)).toEqual([]);
    expect(tablesOf(Medinfo)).toEqual([expect.objectContaining({ Action: ['dynamodb:GetItem'] })]);
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
    for (const { where, name } of calledByGateway('dev')) {
      const api = stage('dev').templates[/^(Sleepcare|Medinfo)/.exec(where)?.[0] ?? ''];
      const granted = Object.keys(ofType('AWS::Lambda::Permission', api)).filter((id) =>
        new RegExp(`[<a-z]${name}Function\\.Arn>$`).test(String(properties(api, id).FunctionName)),
      );
      expect(granted, where).toEqual([`${name}Invocation`]);
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

test.each(environments)('%s: one function sends mail, only from the environment’s address', (environment) => {
  const { from, identity } = settings[environment].mail;
  const senders = functions(environment).flatMap(({ template, name }) =>
    statements(template, `${name}Role`)
      .filter(({ Action }) => JSON.stringify(Action).includes('ses:'))
      .map((statement) => ({ name, statement })),
  );
  expect(senders).toEqual([
    {
      name: 'SendMail',
      statement: {
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        Resource: expect.stringMatching(new RegExp(`:ses:.*:identity/${identity.replaceAll('.', '\\.')}$`)),
        Condition: { StringEquals: { 'ses:FromAddress': from } },
      },
    },
  ]);
});

describe('the functions that erase, release and sign', () => {
  const state = (name: string) => `<State:${name}.Arn>`;
  const found = (domain: string, id: string, service: RegExp) =>
    statements(domainTemplate(domain, 'sleepcare'), `${id}Role`).filter(({ Action }) => service.test(String(Action)));
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
      ...reads('erasure-requests/', 'erasure-begun/', 'tombstones/'),
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
      ['makeResearchExport', 'ReceiptKey', 'sign'],
      ['releaseConsents', 'TombstoneKey', 'continue'],
      ['vouchForReceiptKeys', 'ReceiptKey', 'verify'],
      ['vouchForReceiptKeys', 'VouchingKey', 'continue'],
      ['watchConsentReceipts', 'ImportKey', 'verify'],
      ['watchConsentReceipts', 'TombstoneKey', 'verify'],
      ['watchConsentRecords', 'ImportKey', 'verify'],
      ['watchConsentRecords', 'TombstoneKey', 'verify'],
      ['watchReceiptKeys', 'ReceiptKey', 'verify'],
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

  test('delete endpoints of every platform that the environment ever had, in each environment', () => {
    for (const environment of environments) {
      const template = domainTemplate('consumers', 'sleepcare', environment);
      const sns = statements(template, 'EraseAccountsRole').filter(({ Action }) => String(Action).includes('sns:'));
      const Resource = `arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:endpoint/*/mobile-health-${environment}-*`;
      expect(sns).toEqual([{ Effect: 'Allow', Action: ['sns:DeleteEndpoint'], Resource }]);
    }
  });
});

/** Who asks for patients asks in their pool. */
function poolOf(uses: Uses | undefined, application: Application): Application {
  return ofKind(uses, 'userPool').some(({ userPool }) =>
    ['read-patients', 'close-patients', 'manage-patients'].includes(userPool),
  )
    ? 'sleepcare'
    : application;
}
