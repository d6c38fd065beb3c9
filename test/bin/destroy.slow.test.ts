import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stacksOf } from '../../bin/destroy-stage.ts';
import { typed } from '../typed.ts';

/** The command as it is run, against a CloudFormation, S3, SNS and KMS of a few actions. */

type Version = { key: string; held: boolean; until: string | null; isMarker?: boolean };

const stacks = new Map<string, { isProtected: boolean; outputs: Record<string, string> }>();
const versions = new Map<string, Version>();
const calls: string[] = [];
/** One for each version whose retention was to be passed over. */
const bypassed: unknown[] = [];
/** The applications for pushes. */
const applications = new Set<string>();

const arn = (name: string) => `arn:aws:cloudformation:eu-central-1:000000000000:stack/${name}/1`;
const nameOf = (stack: string) => /^arn:.*:stack\/([^/]+)\//.exec(stack)?.[1] ?? stack;
const members = (items: readonly string[]) => items.map((item) => `<member>${item}</member>`).join('');
const field = (name: string, value: string) => `<${name}>${value}</${name}>`;
const answer = (action: string, body: string) =>
  `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`;

/** Pages of one, each with the mark of the next. */
function pageOf<T>(
  all: readonly T[],
  mark: string | null | undefined,
): { item: T | undefined; next: string | undefined } {
  const at = Number(mark ?? 0);
  return { item: all[at], next: at + 1 < all.length ? String(at + 1) : undefined };
}
const xmlPage = (list: string, all: readonly string[], mark: string | null) => {
  const { item, next } = pageOf(all, mark);
  return field(list, item === undefined ? '' : members([item])) + (next ? field('NextToken', next) : '');
};

const backups: { RecoveryPointArn: string; CalculatedLifecycle: { DeleteAt: number } }[] = [];
/** Stacks that were deleted. */
const gone = new Set<string>();
const logGroups: { logGroupName: string }[] = [];
const parameters: { Name: string }[] = [];

function cloudFormation(asked: URLSearchParams): string | null {
  const [action = '', name] = [asked.get('Action') ?? '', nameOf(asked.get('StackName') ?? '')];
  const stack = stacks.get(name);
  if (action === 'DescribeStacks') {
    if (!stack) return null;
    const outputs = Object.entries(stack.outputs).map(([k, v]) => field('OutputKey', k) + field('OutputValue', v));
    const described = [
      field('StackId', arn(name)),
      field('StackName', name),
      field('StackStatus', 'CREATE_COMPLETE'),
      field('EnableTerminationProtection', String(stack.isProtected)),
      field('Outputs', members(outputs)),
      field('Tags', members([field('Key', 'environment') + field('Value', 'dev')])),
    ];
    return answer(action, field('Stacks', members([described.join('')])));
  }
  if (action === 'ListStackResources') {
    const resource = (type: string, id: string) =>
      [
        field('LogicalResourceId', id),
        field('ResourceType', type),
        field('PhysicalResourceId', id),
        field('ResourceStatus', stack ? 'CREATE_COMPLETE' : 'DELETE_COMPLETE'),
      ].join('');
    const all = name.endsWith('-State')
      ? [
          resource('AWS::Backup::BackupVault', 'vault'),
          resource('AWS::S3::Bucket', 'evidence'),
          resource('AWS::KMS::Key', 'a-key'),
        ]
      : [];
    return answer(action, xmlPage('StackResourceSummaries', all, asked.get('NextToken')));
  }
  if (action === 'ListStacks') {
    const deleted = [...gone].map((each) => field('StackName', each) + field('StackId', arn(each)));
    return answer(action, xmlPage('StackSummaries', deleted, asked.get('NextToken')));
  }
  if (action === 'DescribeStackEvents') return answer(action, field('StackEvents', ''));
  if (action === 'DeleteStack') {
    calls.push(`DeleteStack ${name}`);
    stacks.delete(name);
    gone.add(name);
    return answer(action, '');
  }
  if (action === 'ListPlatformApplications') {
    const all = [...applications].map((each) => field('PlatformApplicationArn', each));
    return answer(action, xmlPage('PlatformApplications', all, asked.get('NextToken')));
  }
  if (action !== 'DeletePlatformApplication') throw new Error(`no ${action} here`);
  applications.delete(asked.get('PlatformApplicationArn') ?? '');
  return answer(action, '');
}

function s3(method: string, url: URL, headers: Record<string, unknown>, body: string): string {
  if (method === 'GET' && url.searchParams.has('versions')) {
    // In the order of their ids, from the one after the mark, which may be gone.
    const [first, second] = [...versions]
      .filter(([id]) => id > (url.searchParams.get('version-id-marker') ?? ''))
      .sort();
    if (!first) return '<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>';
    const [id, { key, isMarker }] = first;
    const found = field(isMarker ? 'DeleteMarker' : 'Version', field('Key', key) + field('VersionId', id));
    const mark = field('NextKeyMarker', key) + field('NextVersionIdMarker', id);
    return `<ListVersionsResult>${field('IsTruncated', String(Boolean(second)))}${mark}${found}</ListVersionsResult>`;
  }
  const id = url.searchParams.get('versionId') ?? '';
  const version = versions.get(id);
  if (method === 'PUT' && url.searchParams.has('legal-hold') && version) version.held = false;
  if (method === 'GET' && url.searchParams.has('retention')) {
    return `<Retention><Mode>COMPLIANCE</Mode><RetainUntilDate>${version?.until}</RetainUntilDate></Retention>`;
  }
  if (method !== 'POST') return '';
  // Sent only for refused deletions.
  if (headers['x-amz-bypass-governance-retention'] === 'true') bypassed.push(...body.matchAll(/<VersionId>/g));
  const errors = [...body.matchAll(/<Key>(.*?)<\/Key><VersionId>(.*?)<\/VersionId>/g)].flatMap(
    ([, key = '', each = '']) => {
      const found = versions.get(each);
      if (!found?.held && !found?.until) versions.delete(each);
      else return field('Error', field('Key', key) + field('VersionId', each) + field('Code', 'AccessDenied'));
      return [];
    },
  );
  return `<DeleteResult>${errors.join('')}</DeleteResult>`;
}

const server = createServer(async (request, response) => {
  const body = await text(request);
  const url = new URL(request.url ?? '/', 'http://localhost');
  const end = (status: number, type: string, content: string) =>
    response.writeHead(status, { 'Content-Type': type, Connection: 'close' }).end(content);
  const json = (content: object) => end(200, 'application/x-amz-json-1.1', JSON.stringify(content));
  const target = String(request.headers['x-amz-target'] ?? '');
  if (target.endsWith('.DescribeKey')) return json({ KeyMetadata: { KeyId: 'a-key', DeletionDate: 1_800_000_000 } });
  if (target.endsWith('.DescribeLogGroups')) {
    const { logGroupNamePrefix, nextToken } = JSON.parse(body);
    const all = logGroups.filter((each) => each.logGroupName.startsWith(logGroupNamePrefix));
    const { item, next } = pageOf(all, nextToken);
    return json({ logGroups: item ? [item] : [], nextToken: next });
  }
  if (target.endsWith('.GetParametersByPath')) {
    const { Path, NextToken, Recursive } = JSON.parse(body);
    expect([Path, Recursive]).toEqual(['/mobile-health/dev/', true]);
    const { item, next } = pageOf(parameters, NextToken);
    return json({ Parameters: item ? [item] : [], NextToken: next });
  }
  if (url.pathname.startsWith('/backup-vaults/vault/recovery-points')) {
    const { item, next } = pageOf(backups, url.searchParams.get('nextToken'));
    return json({ RecoveryPoints: item ? [item] : [], NextToken: next });
  }
  if (!/^application\/x-www-form-urlencoded/.test(request.headers['content-type'] ?? ''))
    return end(200, 'application/xml', s3(request.method ?? '', url, request.headers, body));
  const answered = cloudFormation(new URLSearchParams(body));
  if (answered !== null) return end(200, 'text/xml', answered);
  const missing = field('Code', 'ValidationError') + field('Message', 'Stack with id x does not exist');
  return end(400, 'text/xml', `<ErrorResponse><Error>${missing}</Error></ErrorResponse>`);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  stacks.clear();
  gone.clear();
  for (const name of stacksOf('dev')) stacks.set(name, { isProtected: false, outputs: { KeepsData: 'false' } });
  versions.clear();
  versions.set('v1', { key: 'a', held: false, until: null });
  versions.set('v2', { key: 'held', held: true, until: null });
  versions.set('v3', { key: 'a', held: false, until: null, isMarker: true });
  applications.clear();
  applications.add('arn:aws:sns:eu-central-1:000000000000:app/GCM/mobile-health-dev-android');
  applications.add('arn:aws:sns:eu-central-1:000000000000:app/APNS/mobile-health-dev-ios');
  for (const list of [backups, logGroups, parameters, calls, bypassed]) list.length = 0;
});

function destroy(input: string, ...more: string[]) {
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' },
  };
  return typed(['destroy', '--poll-ms', '1', ...more], env, input);
}

describe('npm run cli -- destroy', () => {
  test('0: the stage’s name is typed, and all is gone but a key that goes', async () => {
    const { code, out, err } = await destroy('dev\n', '--stage', 'dev');
    expect([code, err]).toEqual([0, '']);
    expect(bypassed).toHaveLength(1);
    expect(calls).toEqual(stacksOf('dev').map((name) => `DeleteStack ${name}`));
    expect([...stacks, ...versions, ...applications]).toEqual([]);
    expect(out).toMatch(/^Account 000000000000, region eu-central-1: MobileHealth-dev-Dashboard, /);
    expect(out).toContain('evidence: 3 versions of objects deleted\n');
    expect(out).toContain('pending: the key a-key, which nobody can use any more, until 2027-01-15T08:00:00.000Z\n');
  });

  test('0: nothing is asked with --yes, and a second time there is nothing to do', async () => {
    expect((await destroy('', '--stage', 'dev', '--yes')).code).toBe(0);
    const { code, out } = await destroy('', '--stage', 'dev', '--yes');
    expect([code, calls.length]).toEqual([0, 4]);
    expect(out).toContain('MobileHealth-dev-State: there is none\n');
    expect(out).toContain('pending: the key a-key, ');
  });

  test.each(['prod\n', 'y\n', ''])('2: %j is not its name', async (typed) => {
    const { code, out, err } = await destroy(typed, '--stage', 'dev');
    expect([code, err]).toEqual([2, 'REFUSED: not confirmed, nothing is deleted\n']);
    expect(out).toMatch(/^Account 000000000000, region eu-central-1: /);
    expect([calls, stacks.size]).toEqual([[], 4]);
  });

  test('1: what a lock keeps is listed, and until when', async () => {
    versions.set('v4', { key: 'kept', held: false, until: '2036-01-01T00:00:00Z' });
    const { code, out } = await destroy('', '--stage', 'dev', '--yes');
    expect(code).toBe(1);
    expect(out).toContain('STAYS: s3://evidence/kept, until 2036-01-01T00:00:00.000Z\n');
  });

  test('1: backups with their dates, late log groups and parameters are listed, from every page', async () => {
    for (const RecoveryPointArn of ['arn:b1', 'arn:b2', 'arn:b3'])
      backups.push({ RecoveryPointArn, CalculatedLifecycle: { DeleteAt: 1_800_000_000 } });
    for (const each of ['1', '2']) {
      logGroups.push({ logGroupName: `/aws/lambda/MobileHealth-dev-${each}` });
      parameters.push({ Name: `/mobile-health/dev/${each}` });
    }
    const { code, out } = await destroy('', '--stage', 'dev', '--yes');
    expect(code).toBe(1);
    expect(out.split('\n').filter((line) => line.startsWith('STAYS'))).toEqual([
      ...['arn:b1', 'arn:b2', 'arn:b3'].map(
        (arn) => `STAYS: the backup ${arn} in the vault vault, until 2027-01-15T08:00:00.000Z`,
      ),
      ...['1', '2'].map(
        (each) => `STAYS: the log group /aws/lambda/MobileHealth-dev-${each}, until somebody deletes it`,
      ),
      ...['1', '2'].map((each) => `STAYS: the parameter /mobile-health/dev/${each}, until somebody deletes it`),
    ]);
  });

  test.each([
    [['--stage', 'prod', '--yes'], 'REFUSED: prod keeps its data and is never destroyed by this command\n'],
    [['--stage', 'production'], expect.stringMatching(/^option .* Allowed choices are dev, staging, prod; .*\n$/)],
    [[], expect.stringMatching(/^required option '--stage <stage>' not specified; .*\n$/)],
  ])('2: %j', async (more, message) => {
    expect(await destroy('prod\n', ...more)).toEqual({ code: 2, out: '', err: message });
    expect(calls).toEqual([]);
  });

  test('2: a stack that is protected in the account', async () => {
    stacks.set('MobileHealth-dev-State', { isProtected: true, outputs: {} });
    const { code, err } = await destroy('dev\n', '--stage', 'dev');
    expect([code, err]).toEqual([2, expect.stringContaining('protected from termination in this account')]);
    expect(calls).toEqual([]);
  });
});
