// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the placeholders of Fn::Sub.
import { describe, expect, test } from 'vitest';
import { holds, resolve, type Scope, TemplateError } from '../../../lib/local/template/intrinsics.ts';

const missing = (what: string) => () => {
  throw new Error(`there is no ${what}`);
};

const scope: Scope = {
  ref: (name) => {
    const known: Record<string, unknown> = {
      Table: 'records',
      Zones: ['a', 'b'],
      'AWS::NoValue': undefined,
      Empty: '',
    };
    return Object.hasOwn(known, name) ? known[name] : missing(name)();
  },
  attribute: (logicalId, attribute) => `${logicalId}→${attribute}`,
  condition: (name) => name === 'Yes',
  mapping: (...keys) => keys.join('/'),
  exported: (name) => `exported ${name}`,
  stackOutput: (stack, output) => `${stack}!${output}`,
  dynamicReference: (reference) => `<${reference}>`,
};

const at = 'stack/Resource.Property';

describe('resolves', () => {
  test.each<[string, unknown, unknown]>([
    ['plain values', { a: [1, true, null, 'text'] }, { a: [1, true, null, 'text'] }],
    ['Ref', { Ref: 'Table' }, 'records'],
    ['Ref of a list', { Ref: 'Zones' }, ['a', 'b']],
    ['Ref of an empty string', { Ref: 'Empty' }, ''],
    ['an object that has a Ref among others', { Ref: 'x', Other: 1 }, { Ref: 'x', Other: 1 }],
    ['AWS::NoValue in an object', { a: { Ref: 'AWS::NoValue' }, b: 1 }, { b: 1 }],
    ['AWS::NoValue in a list', [{ Ref: 'AWS::NoValue' }, 1], [1]],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table→Arn'],
    ['Fn::GetAtt with a dot', { 'Fn::GetAtt': ['Nested', 'Outputs.Arn'] }, 'Nested→Outputs.Arn'],
    ['Fn::GetAtt as a string', { 'Fn::GetAtt': 'Nested.Outputs.Arn' }, 'Nested→Outputs.Arn'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Table' }, 1]] }, 'a-records-1'],
    ['Fn::Join of a list', { 'Fn::Join': [',', { Ref: 'Zones' }] }, 'a,b'],
    ['Fn::Join without NoValue', { 'Fn::Join': [',', ['a', { Ref: 'AWS::NoValue' }]] }, 'a'],
    ['Fn::Sub', { 'Fn::Sub': 'x-${Table}-${Table.Arn}' }, 'x-records-Table→Arn'],
    ['Fn::Sub with its own', { 'Fn::Sub': ['${a}-${Table}', { a: { 'Fn::Select': [0, ['x']] } }] }, 'x-records'],
    ['Fn::Sub with a literal', { 'Fn::Sub': '${!Table} ${Table}' }, '${Table} records'],
    ['Fn::Select', { 'Fn::Select': [1, { Ref: 'Zones' }] }, 'b'],
    ['Fn::Select by a string', { 'Fn::Select': ['0', ['a']] }, 'a'],
    ['Fn::Split', { 'Fn::Split': [':', 'a:b'] }, ['a', 'b']],
    ['Fn::Select of Fn::Split', { 'Fn::Select': [1, { 'Fn::Split': ['→', { 'Fn::GetAtt': ['T', 'Arn'] }] }] }, 'Arn'],
    ['Fn::If', { 'Fn::If': ['Yes', 1, { Ref: 'nowhere' }] }, 1],
    ['Fn::If otherwise', { 'Fn::If': ['No', { Ref: 'nowhere' }, 2] }, 2],
    ['Fn::If with NoValue', { a: { 'Fn::If': ['No', 1, { Ref: 'AWS::NoValue' }] } }, {}],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['Map', { Ref: 'Table' }, 'key'] }, 'Map/records/key'],
    ['Fn::ImportValue', { 'Fn::ImportValue': { 'Fn::Sub': '${Table}-arn' } }, 'exported records-arn'],
    ['Fn::GetStackOutput', { 'Fn::GetStackOutput': { StackName: 's', Region: 'r', OutputName: 'o' } }, 's!o'],
    ['Fn::Base64', { 'Fn::Base64': 'text' }, 'dGV4dA=='],
    ['a dynamic reference', 'x{{resolve:ssm:/name}}y', 'x<ssm:/name>y'],
    ['a joined dynamic reference', { 'Fn::Join': ['', ['{{resolve:ssm:', { Ref: 'Table' }, '}}']] }, '<ssm:records>'],
  ])('%s', (_, value, expected) => {
    expect(resolve(value, scope, at)).toEqual(expected);
  });

  test.each<[unknown, boolean]>([
    [{ 'Fn::Equals': ['a', 'a'] }, true],
    [{ 'Fn::Equals': [{ Ref: 'Table' }, 'x'] }, false],
    [{ 'Fn::Not': [{ 'Fn::Equals': ['a', 'b'] }] }, true],
    [{ 'Fn::And': [{ Condition: 'Yes' }, { 'Fn::Equals': ['a', 'a'] }] }, true],
    [{ 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] }, false],
    [{ 'Fn::Or': [{ Condition: 'No' }, { Condition: 'Yes' }] }, true],
    [{ Condition: 'No' }, false],
  ])('the condition %j', (condition, expected) => {
    expect(holds(condition, scope, at)).toBe(expected);
  });

  test('a policy’s Condition is no condition of the template', () => {
    const statement = { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
    expect(resolve(statement, scope, at)).toEqual(statement);
  });
});

describe('refuses, with the place', () => {
  test.each<[string, unknown, string]>([
    ['an unknown function', { a: [{ 'Fn::Cidr': [] }] }, `${at}.a[0]: Fn::Cidr is not supported on this machine`],
    ['an unknown name', { a: { Ref: 'nowhere' } }, `${at}.a.Ref: there is no nowhere`],
    ['a name in Fn::Sub', { 'Fn::Sub': '${nowhere}' }, `${at}.Fn::Sub: there is no nowhere`],
    ['the innermost place', { 'Fn::Join': ['', [{ Ref: 'no' }]] }, `${at}.Fn::Join[0].Ref: there is no no`],
    ['an index outside', { 'Fn::Select': [2, ['a']] }, `${at}.Fn::Select: there is no item 2 among 1`],
    ['a list where a string is needed', { 'Fn::Join': ['', [{ Ref: 'Zones' }]] }, 'a string is needed, not ["a","b"]'],
    ['a string where a list is needed', { 'Fn::Join': ['', 'a'] }, 'a list is needed, not "a"'],
  ])('%s', (_, value, message) => {
    const refused = () => resolve(value, scope, at);
    expect(refused).toThrow(TemplateError);
    expect(refused).toThrow(message);
  });
});
