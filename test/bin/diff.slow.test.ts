import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { stringifyYaml } from '@redocly/openapi-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { synthesize } from '../../lib/local/synth.ts';
import { readAssembly, readTemplate, type Template } from '../../lib/local/template/assembly.ts';

/** The command as it is run, against a CloudFormation that knows two actions. */

const root = new URL('../..', import.meta.url).pathname;
const deployed = new Map<string, Template>();
let refused = false;
let written: (template: Template) => string = JSON.stringify;

const escaped = (json: string) => json.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const failure = (code: string, message: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

const server = createServer(async (request, response) => {
  const asked = new URLSearchParams(await text(request));
  const [action, stack] = [asked.get('Action'), asked.get('StackName') ?? ''];
  const answer = (status: number, body: string) =>
    response.writeHead(status, { 'Content-Type': 'text/xml', Connection: 'close' }).end(body);
  if (refused) return answer(403, failure('AccessDenied', 'not allowed'));
  if (action === 'GetTemplate') {
    const template = deployed.get(stack);
    if (!template) return answer(400, failure('ValidationError', `Stack with id ${stack} does not exist`));
    const body = `<TemplateBody>${escaped(written(template))}</TemplateBody>`;
    return answer(200, `<GetTemplateResponse><GetTemplateResult>${body}</GetTemplateResult></GetTemplateResponse>`);
  }
  const id = `<PhysicalResourceId>${stack}/${asked.get('LogicalResourceId')}</PhysicalResourceId>`;
  const detail = `<StackResourceDetail>${id}</StackResourceDetail>`;
  return answer(
    200,
    `<DescribeStackResourceResponse><DescribeStackResourceResult>${detail}</DescribeStackResourceResult></DescribeStackResourceResponse>`,
  );
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** All as it is synthesized. */
beforeEach(async () => {
  refused = false;
  written = JSON.stringify;
  const { directory } = await synthesize('dev');
  deployed.clear();
  for (const { name, template, assets } of readAssembly(directory)) {
    deployed.set(name, structuredClone(template));
    for (const [logicalId, { Type, Properties }] of Object.entries(template.Resources ?? {})) {
      if (Type !== 'AWS::CloudFormation::Stack') continue;
      const url = JSON.stringify(Properties?.TemplateURL);
      const [, file = ''] = [...assets].find(([key]) => url.includes(key)) ?? [];
      deployed.set(`${name}/${logicalId}`, readTemplate(file));
    }
  }
});

function diff(...more: string[]): Promise<{ code: number; out: string; err: string }> {
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['bin/diff.ts', '--stage', 'dev', ...more], { cwd: root, env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

const state = 'MobileHealth-dev-State';

describe('npm run diff', () => {
  test('0: nothing changes', async () => {
    const { code, out, err } = await diff();
    expect([code, err]).toEqual([0, '']);
    const lines = out.trim().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !line.endsWith(': no change'))).toEqual([]);
  });

  test('0: nothing changes after cdk import, which writes YAML', async () => {
    written = stringifyYaml;
    const { code, out, err } = await diff();
    expect([code, err]).toEqual([0, '']);
    expect(out.trim().split('\n')).toContain(`${state}: no change`);
  });

  test('2: a template that is neither JSON nor the YAML of the CDK', async () => {
    written = () => 'Resources:\n  A: !Ref B\n';
    const { code, err } = await diff();
    expect([code, err]).toEqual([2, expect.stringMatching(/^the template of \S+ was not written by the CDK.*\n$/)]);
  });

  test('0: nothing is deployed', async () => {
    deployed.clear();
    const { code, out } = await diff();
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${state}: new, \\d+ added$`, 'm'));
  });

  test('1: a table and a pool would go; 0 where that is allowed', async () => {
    const Resources = { ...deployed.get(state)?.Resources };
    Resources.OldTable = { Type: 'AWS::DynamoDB::Table', Properties: {} };
    const { SleepcareUserPool: pool } = Resources;
    if (pool) Resources.SleepcareUserPool = { ...pool, Properties: { ...pool.Properties, UsernameAttributes: [] } };
    deployed.set(state, { ...deployed.get(state), Resources });
    const { code, out, err } = await diff();
    expect(out).toContain('  ! removed: OldTable (AWS::DynamoDB::Table), with its rows\n');
    expect(out).toContain('  ! replaced for UsernameAttributes: SleepcareUserPool');
    expect([code, err]).toEqual([1, expect.stringMatching(/^REFUSED: 2 resources/)]);
    const allowed = await diff('--allow-replacement');
    expect([allowed.code, allowed.err]).toEqual([0, expect.stringMatching(/^allowed: 2 resources/)]);
  });

  test('2: it may not look', async () => {
    refused = true;
    expect(await diff()).toEqual({ code: 2, out: '', err: 'not allowed\n' });
  });
});
