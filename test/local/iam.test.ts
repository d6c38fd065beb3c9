import { describe, expect, test } from 'vitest';
import { authorize, type PolicedTable, type Statement } from '../../lib/local/iam.ts';

const arn = (name: string) => `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}`;
const role = 'arn:aws:iam::123456789012:role/agree';
const records: PolicedTable = { name: 'Records', arn: arn('Records'), keys: { partition: 'user', sort: 'at' } };
const states: PolicedTable = {
  name: 'States',
  arn: arn('States'),
  keys: { partition: 'user' },
  indexes: { 'by-agreement': { partition: 'agreement' } },
};

const allow = (Action: string | string[], more: Partial<Statement> = {}): Statement => ({
  Effect: 'Allow',
  Action,
  Resource: arn('Records'),
  ...more,
});
const deny = (Action: string | string[], more: Partial<Statement> = {}): Statement => ({
  ...allow(Action, more),
  Effect: 'Deny',
});

type Case = { statements: Statement[]; policy?: Statement[]; tables?: PolicedTable[] };
function ask(action: string, input: Record<string, unknown>, { statements, policy = [], tables }: Case) {
  return authorize({ action, input }, { arn: role, statements }, tables ?? [{ ...records, policy }, states]);
}

const key = { user: { S: 'u1' }, at: { S: '1' } };
const put = { TableName: 'Records', Item: { ...key, action: { S: 'agreed' } } };
const update = {
  TableName: 'Records',
  Key: key,
  UpdateExpression: 'SET #e = if_not_exists(expires, :e), nested.deep = :e REMOVE gone[1]',
  ConditionExpression: 'attribute_exists(#u) AND NOT size(note) > :n',
  ExpressionAttributeNames: { '#e': 'expiresAt', '#u': 'user' },
  ExpressionAttributeValues: { ':e': { N: '1' }, ':n': { N: '2' } },
};
const get = { TableName: 'Records', Key: key };
const transaction = {
  TransactItems: [
    { Put: put },
    { Update: { TableName: 'States', Key: { user: { S: 'u1' } }, UpdateExpression: 'SET a = :a' } },
    { ConditionCheck: { TableName: 'States', Key: { user: { S: 'u2' } }, ConditionExpression: 'attribute_exists(a)' } },
  ],
};
const all = { statements: [allow('dynamodb:*', { Resource: '*' })] };

describe('identity policies', () => {
  test.each([
    ['nothing', [], false],
    ['the action', [allow('dynamodb:PutItem')], true],
    ['the action in other letters', [allow('DynamoDB:putitem')], true],
    ['another action', [allow('dynamodb:GetItem')], false],
    ['another table', [allow('dynamodb:PutItem', { Resource: arn('States') })], false],
    ['a longer name of a table', [allow('dynamodb:PutItem', { Resource: arn('Record') })], false],
    ['wildcards', [allow('dynamodb:P*', { Resource: arn('Rec?rd*') })], true],
    ['everything', [allow('*', { Resource: '*' })], true],
    ['all but the action', [allow([], { Action: undefined, NotAction: 'dynamodb:PutItem' } as never)], false],
    ['all but another', [allow([], { Action: undefined, NotAction: ['dynamodb:Get*'] } as never)], true],
    [
      'all but the table',
      [allow('dynamodb:PutItem', { Resource: undefined, NotResource: arn('Records') } as never)],
      false,
    ],
    ['allow and deny', [allow('dynamodb:*'), deny('dynamodb:PutItem')], false],
    ['allow and a deny of another action', [allow('dynamodb:*'), deny('dynamodb:DeleteItem')], true],
  ] as Array<[string, Statement[], boolean]>)('%s', (_name, statements, allowed) => {
    expect(ask('PutItem', put, { statements }) === undefined).toBe(allowed);
  });

  test('a refusal names the action, the resource, the role and why', () => {
    expect(ask('PutItem', put, { statements: [] })).toEqual({
      action: 'dynamodb:PutItem',
      resource: arn('Records'),
      principal: role,
      reason: 'because no identity-based policy allows the dynamodb:PutItem action',
    });
    expect(ask('PutItem', put, { statements: [allow('*'), deny('*')] })?.reason).toMatch(
      /explicit deny in an identity/,
    );
  });
});

describe('resource policies', () => {
  const to = (Principal: unknown, Effect: 'Allow' | 'Deny' = 'Allow'): Statement[] => [
    { Effect, Action: 'dynamodb:PutItem', Resource: arn('Records'), Principal },
  ];
  test.each([
    [to({ AWS: role }), true],
    [to({ AWS: ['arn:aws:iam::123456789012:role/other', role] }), true],
    [to('*'), true],
    [to({ AWS: '123456789012' }), true],
    [to({ AWS: 'arn:aws:iam::123456789012:root' }), true],
    [to({ AWS: 'arn:aws:iam::123456789012:role/other' }), false],
    [to({ Service: 'lambda.amazonaws.com' }), false],
  ])('%j grants by itself: %s', (policy, allowed) => {
    expect(ask('PutItem', put, { statements: [], policy }) === undefined).toBe(allowed);
  });

  test('a deny wins over an identity policy that allows', () => {
    expect(ask('PutItem', put, { ...all, policy: to('*', 'Deny') })?.reason).toMatch(
      /explicit deny in a resource-based/,
    );
    expect(
      ask('PutItem', put, { ...all, policy: to({ AWS: 'arn:aws:iam::123456789012:role/x' }, 'Deny') }),
    ).toBeUndefined();
  });

  test('NotPrincipal denies everyone else', () => {
    const policy = (name: string): Statement[] => [
      { Effect: 'Deny', Action: '*', Resource: '*', NotPrincipal: { AWS: `arn:aws:iam::123456789012:role/${name}` } },
    ];
    expect(ask('PutItem', put, { ...all, policy: policy('agree') })).toBeUndefined();
    expect(ask('PutItem', put, { ...all, policy: policy('expiry') })).toBeDefined();
  });

  test('the ledger: only the expiry role may update, and only expiresAt', () => {
    const policy: Statement[] = [
      deny(['dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:BatchWriteItem', 'dynamodb:PartiQL*'], {
        Principal: '*',
        Condition: { ArnNotEquals: { 'aws:PrincipalArn': 'arn:aws:iam::123456789012:role/expiry' } },
      }),
      deny('dynamodb:UpdateItem', {
        Principal: '*',
        Condition: { 'ForAnyValue:StringNotEquals': { 'dynamodb:Attributes': ['user', 'at', 'expiresAt'] } },
      }),
    ];
    const tables = [{ ...records, policy }];
    const as = (name: string, UpdateExpression: string) => {
      const principal = { arn: `arn:aws:iam::123456789012:role/${name}`, ...all };
      return authorize({ action: 'UpdateItem', input: { ...get, UpdateExpression } }, principal, tables);
    };
    expect(as('expiry', 'SET expiresAt = :e')).toBeUndefined();
    expect(as('expiry', 'SET expiresAt = :e, action = :a')).toBeDefined();
    expect(as('agree', 'SET expiresAt = :e')).toBeDefined();
    expect(authorize({ action: 'PutItem', input: put }, { arn: role, ...all }, tables)).toBeUndefined();
    const batch = { RequestItems: { Records: [{ PutRequest: { Item: put.Item } }] } };
    expect(authorize({ action: 'BatchWriteItem', input: batch }, { arn: role, ...all }, tables)).toBeDefined();
  });
});

describe('what a call needs', () => {
  const needed = (action: string, input: Record<string, unknown>) => {
    const found: string[] = [];
    // Grants one action after the other until the call passes.
    for (let round = 0; round < 10; round++) {
      const statements = found.map((grant) =>
        allow(grant.split(' ')[0] ?? '', { Resource: grant.split(' ')[1] ?? '' }),
      );
      const denial = ask(action, input, { statements });
      if (!denial) return found;
      found.push(`${denial.action} ${denial.resource}`);
    }
    throw new Error(`Never allowed: ${found}`);
  };

  test.each([
    ['GetItem', get, [`dynamodb:GetItem ${arn('Records')}`]],
    ['GetItem', { ...get, TableName: arn('Records') }, [`dynamodb:GetItem ${arn('Records')}`]],
    [
      'Query',
      { TableName: 'States', IndexName: 'by-agreement' },
      [`dynamodb:Query ${arn('States')}/index/by-agreement`],
    ],
    [
      'TransactWriteItems',
      transaction,
      [
        `dynamodb:PutItem ${arn('Records')}`,
        `dynamodb:UpdateItem ${arn('States')}`,
        `dynamodb:ConditionCheckItem ${arn('States')}`,
      ],
    ],
    ['TransactGetItems', { TransactItems: [{ Get: get }] }, [`dynamodb:GetItem ${arn('Records')}`]],
    [
      'BatchWriteItem',
      { RequestItems: { Records: [{ DeleteRequest: { Key: key } }], States: [{ PutRequest: { Item: key } }] } },
      [`dynamodb:BatchWriteItem ${arn('Records')}`, `dynamodb:BatchWriteItem ${arn('States')}`],
    ],
    ['BatchGetItem', { RequestItems: { Records: { Keys: [key] } } }, [`dynamodb:BatchGetItem ${arn('Records')}`]],
    [
      'ExecuteStatement',
      { Statement: `SELECT * FROM "Records" WHERE x=1` },
      [`dynamodb:PartiQLSelect ${arn('Records')}`],
    ],
    [
      'ExecuteStatement',
      { Statement: `select a from "States"."by-agreement"` },
      [`dynamodb:PartiQLSelect ${arn('States')}/index/by-agreement`],
    ],
    [
      'BatchExecuteStatement',
      {
        Statements: [
          { Statement: `INSERT INTO "Records" VALUE {'user': 'x'}` },
          { Statement: `UPDATE "Records" SET a=1 WHERE b=2` },
          { Statement: `DELETE FROM Records WHERE a=1` },
        ],
      },
      ['Insert', 'Update', 'Delete'].map((verb) => `dynamodb:PartiQL${verb} ${arn('Records')}`),
    ],
    ['DescribeTable', { TableName: 'Records' }, [`dynamodb:DescribeTable ${arn('Records')}`]],
    ['ListTables', {}, ['dynamodb:ListTables *']],
    ['CreateTable', { TableName: 'New' }, [`dynamodb:CreateTable ${arn('New')}`]],
  ] as Array<[string, Record<string, unknown>, string[]]>)('%s %#', (action, input, expected) => {
    expect(needed(action, input)).toEqual(expected);
  });
});

describe('conditions', () => {
  const passes = (action: string, input: Record<string, unknown>, Condition: Statement['Condition']) =>
    ask(action, input, {
      statements: [allow('dynamodb:*', { Resource: '*', ...(Condition ? { Condition } : {}) })],
    }) === undefined;
  const enclosed = { StringEquals: { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } };

  test('a put is allowed within a transaction only', () => {
    const statements = [allow('dynamodb:PutItem', { Condition: enclosed }), allow('*', { Resource: arn('States') })];
    expect(ask('TransactWriteItems', transaction, { statements })).toBeUndefined();
    expect(ask('PutItem', put, { statements })).toMatchObject({ action: 'dynamodb:PutItem', resource: arn('Records') });
  });

  test('a deny outside transactions', () => {
    const Condition = { 'ForAllValues:StringNotEquals': { 'dynamodb:EnclosingOperation': 'TransactWriteItems' } };
    const statements = [...all.statements, deny('dynamodb:PutItem', { Condition })];
    expect(ask('TransactWriteItems', transaction, { statements })).toBeUndefined();
    expect(ask('PutItem', put, { statements })).toBeDefined();
  });

  const onlyThese = (names: string[]) => ({ 'ForAllValues:StringEquals': { 'dynamodb:Attributes': names } });
  const touched = ['user', 'at', 'expiresAt', 'expires', 'nested', 'gone', 'note'];
  test.each([
    ['UpdateItem', update, touched, true],
    ...touched.map((one) => ['UpdateItem', update, touched.filter((name) => name !== one), false]),
    ['PutItem', put, ['user', 'at', 'action'], true],
    ['PutItem', put, ['user', 'at'], false],
    ['GetItem', { ...get, ProjectionExpression: 'a.b, c' }, ['user', 'at', 'a', 'c'], true],
    ['GetItem', { ...get, ProjectionExpression: 'a.b, c' }, ['user', 'at', 'a'], false],
    ['BatchWriteItem', { RequestItems: { Records: [{ PutRequest: { Item: put.Item } }] } }, ['user', 'at'], false],
  ] as Array<[string, Record<string, unknown>, string[], boolean]>)(
    'dynamodb:Attributes of %s %# in %3$j',
    (action, input, names, allowed) => {
      expect(passes(action, input, onlyThese(names))).toBe(allowed);
    },
  );

  const leads = (value: string) => ({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [value] } });
  const query = {
    TableName: 'Records',
    KeyConditionExpression: '#u = :u AND at > :at',
    ExpressionAttributeNames: { '#u': 'user' },
    ExpressionAttributeValues: { ':u': { S: 'u1' }, ':at': { S: '0' } },
  };
  test.each([
    ['PutItem', put],
    ['GetItem', get],
    ['Query', query],
    ['BatchGetItem', { RequestItems: { Records: { Keys: [key] } } }],
    ['TransactGetItems', { TransactItems: [{ Get: get }] }],
  ])('dynamodb:LeadingKeys of %s', (action, input) => {
    expect(passes(action, input, leads('u1'))).toBe(true);
    expect(passes(action, input, leads('u2'))).toBe(false);
  });

  test('dynamodb:LeadingKeys of a table whose keys are not known fails closed', () => {
    const tables = [{ name: 'Records', arn: arn('Records') }];
    const of = (statements: Statement[]) => ask('PutItem', put, { statements, tables });
    expect(of([allow('*', { Condition: leads('u1') })])).toBeDefined();
    expect(of([allow('*'), deny('*', { Condition: leads('u2') })])).toBeDefined();
  });

  test.each([
    ['StringEquals', 'PutItem', put, { 'dynamodb:ReturnValues': 'NONE' }, true],
    ['StringEquals', 'PutItem', { ...put, ReturnValues: 'ALL_OLD' }, { 'dynamodb:ReturnValues': 'NONE' }, false],
    ['StringEquals', 'GetItem', get, { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' }, false],
    [
      'StringEquals',
      'GetItem',
      { ...get, ProjectionExpression: 'a' },
      { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      true,
    ],
    ['StringEquals', 'Scan', { TableName: 'Records', Select: 'COUNT' }, { 'dynamodb:Select': 'COUNT' }, true],
    ['StringNotEquals', 'PutItem', put, { 'dynamodb:EnclosingOperation': 'TransactWriteItems' }, true],
    ['StringEqualsIfExists', 'PutItem', put, { 'dynamodb:EnclosingOperation': 'TransactWriteItems' }, true],
    ['StringEqualsIfExists', 'PutItem', put, { 'dynamodb:ReturnValues': 'ALL_OLD' }, false],
    ['ForAnyValue:StringEquals', 'PutItem', put, { 'dynamodb:EnclosingOperation': 'TransactWriteItems' }, false],
    ['ForAnyValue:StringLike', 'PutItem', put, { 'dynamodb:Attributes': 'act*' }, true],
    ['ForAnyValue:StringLike', 'PutItem', put, { 'dynamodb:Attributes': 'x*' }, false],
    ['Null', 'PutItem', put, { 'dynamodb:EnclosingOperation': 'true' }, true],
    ['Null', 'PutItem', put, { 'dynamodb:EnclosingOperation': 'false' }, false],
    ['Null', 'TransactWriteItems', transaction, { 'dynamodb:EnclosingOperation': 'false' }, true],
    ['ArnEquals', 'PutItem', put, { 'aws:PrincipalArn': role }, true],
    ['ArnLike', 'PutItem', put, { 'AWS:principalarn': 'arn:aws:iam::*:role/ag*' }, true],
    ['ArnLike', 'PutItem', put, { 'aws:PrincipalArn': 'arn:*:role/agree' }, false],
    ['ArnNotLike', 'PutItem', put, { 'aws:PrincipalArn': 'arn:aws:iam::*:role/ag*' }, false],
    ['ArnNotEquals', 'PutItem', put, { 'aws:PrincipalArn': 'arn:aws:iam::123456789012:role/x' }, true],
    ['Bool', 'PutItem', put, { 'aws:SecureTransport': 'true' }, true],
    ['Bool', 'PutItem', put, { 'aws:SecureTransport': 'false' }, false],
    ['StringEquals', 'PutItem', put, { 'dynamodb:ReturnValues': 'NONE', 'aws:PrincipalArn': 'x' }, false],
    ['StringEquals', 'PutItem', put, { 'aws:SourceVpc': 'vpc-1' }, false],
    ['StringEquals', 'PutItem', put, { 'aws:PrincipalArn': `\${aws:username}` }, false],
    ['DateGreaterThan', 'PutItem', put, { 'aws:PrincipalArn': '2020-01-01' }, false],
  ] as Array<[string, string, Record<string, unknown>, Record<string, string>, boolean]>)(
    '%s %# of %s',
    (operator, action, input, keys, allowed) => {
      expect(passes(action, input, { [operator]: keys })).toBe(allowed);
    },
  );

  test.each([
    [{ StringEquals: { 'aws:SourceVpc': 'vpc-1' } }],
    [{ DateGreaterThan: { 'aws:PrincipalArn': '2020-01-01' } }],
    [{ StringEquals: { 'dynamodb:ReturnValues': `\${aws:username}` } }],
  ])('a deny that cannot be evaluated applies: %j', (Condition) => {
    expect(ask('PutItem', put, { statements: [allow('*'), deny('*', { Condition })] })).toBeDefined();
  });

  test('but not when another of its conditions is plainly not met', () => {
    const Condition = { StringEquals: { 'aws:SourceVpc': 'vpc-1', 'dynamodb:ReturnValues': 'ALL_OLD' } };
    expect(ask('PutItem', put, { statements: [allow('*'), deny('*', { Condition })] })).toBeUndefined();
  });
});
