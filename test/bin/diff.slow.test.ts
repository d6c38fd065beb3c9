import { dump } from 'js-yaml';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Template } from '../../lib/local/template/assembly.ts';
import { typed } from '../typed.ts';
import { startAwsAccount, variablesFor } from './aws-account.ts';
import { plantStage, sharedName } from './planted-stage.ts';

/** The command as it is run, against an account in which the stage is deployed as it is synthesized. */

const account = await startAwsAccount();
afterAll(() => account.close());

beforeEach(() => plantStage(account, 'dev'));

const diff = (...more: string[]) =>
  typed(['diff', '--stage', 'dev', ...more], { ...process.env, ...variablesFor(account) });

const state = 'MobileHealth-dev-State';

describe('npm run cli -- diff', () => {
  test('0: nothing changes', async () => {
    const { code, out, err } = await diff();
    expect([code, err]).toEqual([0, '']);
    const lines = out.trim().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !line.endsWith(': no change'))).toEqual([]);
  });

  test('0: nothing changes after cdk import, which writes YAML', async () => {
    await plantStage(account, 'dev', dump);
    const { code, out, err } = await diff();
    expect([code, err]).toEqual([0, '']);
    expect(out.trim().split('\n')).toContain(`${state}: no change`);
  });

  test('2: a template that is neither JSON nor the YAML of the CDK', async () => {
    await plantStage(account, 'dev', () => 'Resources:\n  A: !Ref B\n');
    const { code, err } = await diff();
    expect([code, err]).toEqual([2, expect.stringMatching(/^the template of \S+ was not written by the CDK.*\n$/)]);
  });

  test('0: nothing is deployed', async () => {
    account.stacks.clear();
    const { code, out } = await diff();
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${state}: new, \\d+ added$`, 'm'));
  });

  test('0: a stack that keeps an old value is reported; the next deployment mends it', async () => {
    account.parameters.set(sharedName, 'new');
    const { code, out } = await diff();
    expect(code).toBe(0);
    expect(out.match(/^STALE: .*$/gm)).toEqual([
      `STALE: MobileHealth-dev-Medinfo still uses an old value of ${sharedName}; a deployment of all stacks gives it the new value`,
    ]);
  });

  test('0: what the CDK left at its question is new', async () => {
    account.stacks.set(state, { status: 'REVIEW_IN_PROGRESS' });
    const { code, out } = await diff();
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${state}: new, \\d+ added$`, 'm'));
  });

  test('1: a table and a pool would go; 0 where that is allowed', async () => {
    const before: Template = JSON.parse(account.stacks.get(state)?.template ?? '');
    const Resources = { ...before.Resources };
    Resources.OldTable = { Type: 'AWS::DynamoDB::Table', Properties: {} };
    const { SleepcareUserPool: pool } = Resources;
    if (pool) Resources.SleepcareUserPool = { ...pool, Properties: { ...pool.Properties, UsernameAttributes: [] } };
    account.stacks.set(state, { status: 'CREATE_COMPLETE', template: JSON.stringify({ ...before, Resources }) });
    const { code, out, err } = await diff();
    expect(out).toContain('  ! removed: OldTable (AWS::DynamoDB::Table), with its rows\n');
    expect(out).toContain('  ! replaced for UsernameAttributes: SleepcareUserPool');
    expect([code, err]).toEqual([1, expect.stringMatching(/^REFUSED: 2 resources/)]);
    const allowed = await diff('--allow-replacement');
    expect([allowed.code, allowed.err]).toEqual([0, expect.stringMatching(/^allowed: 2 resources/)]);
  });

  test('0: a route that comes or goes is named, and that the API is published anew is ordinary', async () => {
    const stack = 'MobileHealth-dev-Sleepcare';
    const before: Template = JSON.parse(account.stacks.get(stack)?.template ?? '');
    const text = JSON.stringify(before).replace('"/v1/users/me/sign-ins"', '"/v1/users/me/former"');
    const deployment = /"(Deployment[0-9a-f]+)"/.exec(text)?.[1] ?? '';
    const template = text.replaceAll(deployment, 'DeploymentFormer');
    account.stacks.set(stack, { status: 'CREATE_COMPLETE', template });
    const { code, out } = await diff();
    expect(code).toBe(0);
    const lines = out.split('\n');
    const at = lines.findIndex((line) => line.startsWith(`${stack}: `));
    expect(lines[at]).toMatch(/, 1 published anew, as with every change$/);
    expect(lines.slice(at + 1, at + 3)).toEqual([
      '    route added: GET /v1/users/me/sign-ins',
      '    route removed: GET /v1/users/me/former',
    ]);
    expect(out).not.toContain('removed: Deployment');
  });

  test('2: it may not look', async () => {
    account.isClosed = true;
    expect(await diff()).toEqual({ code: 2, out: '', err: 'not allowed\n' });
  });
});
