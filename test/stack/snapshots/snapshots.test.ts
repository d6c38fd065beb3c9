import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { environments } from '../../../functions/product.ts';
import type { Environment } from '../../../lib/contract/register.ts';
import { runs } from '../../runs.ts';
import type { Json } from './json.ts';
import type { Templates } from './parts.ts';
import { readSnapshots, writeSnapshots } from './snapshots.ts';

const long = 'A text of many words, which is too long for a line. '.repeat(10);
const odd = ['prod', 'none', '- x', '"a" -> "b"', '{"a":[1,{}]}', '{{x}}', '<State:Key.Arn>', 'a: b', 'a.b[0]', long];
/** Without the signs that stand for names and attributes (short-names.ts, parts.ts). */
const text = fc
  .oneof(fc.string({ maxLength: 6 }), fc.string({ unit: 'binary', maxLength: 4 }), fc.constantFrom(...odd))
  .filter((each) => !/[~#]/.test(each));
const key = text.filter((each) => each !== '__proto__' && !each.startsWith('@'));
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(0, 1.5, true, null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 3 }),
  ),
}));
const resource = fc.record({
  Type: fc.constantFrom('AWS::IAM::Role', 'AWS::SQS::Queue'),
  Properties: fc.dictionary(key, json, { minKeys: 1, maxKeys: 3 }),
});
const ids = fc.constantFrom('AgreeRole', 'AgreeLogs', 'Deployment56f9d4d57526', 'ReadRole', 'Key', 'WriteRole');
const template = fc.record({
  Description: text,
  Resources: fc.dictionary(ids, resource, { minKeys: 1, maxKeys: 6 }),
  Outputs: fc.dictionary(ids, fc.dictionary(key, json, { maxKeys: 2 }), { minKeys: 1, maxKeys: 2 }),
});
const templates = fc.dictionary(fc.constantFrom('State', 'Sleepcare'), template) as fc.Arbitrary<Templates>;

test('any templates can be read back from what is written of them', () => {
  const stages = fc.record({ prod: templates, dev: templates, staging: templates });
  fc.assert(
    fc.property(stages, (each) => {
      expect(readSnapshots(writeSnapshots(each))).toEqual(each);
    }),
    { numRuns: runs(200) },
  );
});

describe('a reader of a diff sees what changed, and nothing else', () => {
  const names = ['Agree', 'Read', 'List', 'Revoke', 'Write'];
  const statement = (table: string, action: string) => ({ Resource: `<${table}.Arn>`, Action: [action] });
  const resources = names.map((name) => {
    const Statement = [statement(`${name}Logs`, 'logs:PutLogEvents'), statement(`TableOf${name}`, 'dynamodb:Query')];
    const role = { Type: 'AWS::IAM::Role', Properties: { Policies: [{ PolicyDocument: { Statement } }] } };
    const properties = { Timeout: 10, Role: `<${name}Role.Arn>`, Environment: { NAME: 'prod' } };
    return { [`${name}Role`]: role, [`${name}Function`]: { Type: 'AWS::Lambda::Function', Properties: properties } };
  });
  const paths = names.map((name) => ({ [`/v1/${name}`]: { get: { operationId: name, timeoutInMillis: 9500 } } }));
  const Body = { openapi: '3.0.1', paths: Object.assign({}, ...paths) };
  const api = { Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Body } } };
  const whole = JSON.stringify({ State: { Resources: Object.assign(api, ...resources) } });

  const written = (texts: Readonly<Record<Environment, string>>) => {
    const template = (environment: Environment): Templates =>
      JSON.parse(texts[environment].replaceAll('prod', environment));
    return writeSnapshots({ prod: template('prod'), dev: template('dev'), staging: template('staging') });
  };
  const before = written({ prod: whole, dev: whole, staging: whole });

  /** The lines that are new where the environments' templates have one text in the place of another. */
  function newLines(from: string, to: string, changed: readonly Environment[] = environments): string[] {
    const other = whole.replace(from, to);
    expect(other).not.toBe(whole);
    const text = (environment: Environment) => (changed.includes(environment) ? other : whole);
    const after = written({ prod: text('prod'), dev: text('dev'), staging: text('staging') });
    return environments.flatMap((name) => {
      const old = before[name].split('\n');
      return after[name].split('\n').flatMap((line) => (old.includes(line) ? [] : [`${name}.txt: ${line}`]));
    });
  }

  test('an action of a role: its statement', () => {
    const from = '{"Resource":"<TableOfRead.Arn>","Action":["dynamodb:Query"]}';
    const to = '{"Resource":"<TableOfRead.Arn>","Action":["dynamodb:Query","dynamodb:Scan"]}';
    const role = 'State/ReadRole AWS::IAM::Role Policies[0].PolicyDocument.Statement';
    expect(newLines(from, to)).toEqual([`prod.txt: ${role} goes on: [${to}]`]);
    expect(newLines(from, to, ['dev'])).toEqual([
      `dev.txt: ${role}[1].Action[behind "dynamodb:Query"]: none -> "dynamodb:Scan"`,
    ]);
  });

  test('a key of a resource: what it has beside all others, or has not', () => {
    const from = '"Timeout":10,"Role":"<ReadRole.Arn>"';
    const read = 'State/ReadFunction AWS::Lambda::Function';
    expect(newLines(from, from.replace('10', '60'))).toEqual([`prod.txt: ${read}: {"Timeout":60}`]);
    expect(newLines(from, '"Role":"<ReadRole.Arn>"')).toEqual([`prod.txt: ${read} Timeout: none`]);
    expect(newLines(from, from.replace('10', '60'), ['staging'])).toEqual([`staging.txt: ${read} Timeout: 10 -> 60`]);
  });

  test('a field of an API: its operation', () => {
    const from = '"operationId":"Read","timeoutInMillis":9500';
    expect(newLines(from, '"operationId":"Read","timeoutInMillis":1')).toEqual([
      'prod.txt: State/Api/get/v1/Read operation: {"operationId":"Read","timeoutInMillis":1}',
    ]);
  });

  test('a text that does not follow the name of the environment: in every other environment', () => {
    const from = '"<ReadRole.Arn>","Environment":{"NAME":"prod"';
    const read = 'State/ReadFunction AWS::Lambda::Function';
    expect(newLines(from, from.replace('prod', 'dev'), ['staging'])).toEqual([
      `staging.txt: ${read} Environment.NAME: "staging" -> "dev"`,
    ]);
  });

  test('what changes in every part of a type: one line, and one for each that it does not', () => {
    const all = whole.replaceAll('"Timeout":10', '"Timeout":20');
    const but = all.replace('"Timeout":20,"Role":"<ReadRole', '"Timeout":10,"Role":"<ReadRole');
    expect(
      written({ prod: whole, dev: but, staging: all })
        .dev.split('\n')
        .filter((line) => !line.startsWith('#')),
    ).toEqual([
      'every AWS::Lambda::Function Timeout: 10 -> 20',
      'State/ReadFunction AWS::Lambda::Function Timeout: 10 -> 10',
      '',
    ]);
  });
});
