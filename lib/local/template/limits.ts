import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mostKeys, ringText } from '../../contract/key-ring.ts';
import { readAssembly, readTemplate } from './assembly.ts';
import type { Deployment, Resource } from './deployment.ts';
import { resolve } from './intrinsics.ts';
import { reference } from './physical.ts';
import { ofType } from './resources.ts';
import { openSecrets } from './secrets.ts';
import { deploy } from './stacks.ts';

/** What grows with the domains, and how far it may: AWS's default limits. */

export type Limit = {
  /** `resources of State` */
  readonly what: string;
  readonly found: number;
  /** AWS's. */
  readonly limit: number;
};

const kibibyte = 1024;

/** Of whole templates: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const ofTemplates = { resources: 500, outputs: 200, parameters: 200, bytes: 1024 * kibibyte } as const;

/** Of single resources. */
const most = {
  // Of JSON: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  variables: 4 * kibibyte,
  // Of a role; and the roles of an account: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  inlinePolicies: 10_240,
  managedPolicy: 6_144,
  managedPolicies: 10,
  roles: 1000,
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-considerations.html
  tablePolicy: 20 * kibibyte,
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
  paths: 300,
  // In all of a dashboard, and in a widget; of the body AWS names no limit:
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
  dashboardMetrics: 2500,
  widgetMetrics: 500,
  dashboardBytes: 1024 * kibibyte,
  // More are throttled: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
  consumersOfStream: 2,
} as const;

/** @param directory a synthesized cloud assembly */
export function limitsOf(directory: string): Limit[] {
  const deployment = deploy(readAssembly(directory), openSecrets(undefined));
  const files = readdirSync(directory).filter((file) => file.endsWith('.template.json'));
  return [
    ...files.flatMap((file) => {
      // A nested stack's file ends in CDK's hash of its path.
      const name = file.replace(/([0-9A-F]{8}\.nested)?\.template\.json$/, '');
      const { Resources = {}, Outputs = {}, Parameters = {} } = readTemplate(join(directory, file));
      const found = {
        resources: Object.keys(Resources).length,
        outputs: Object.keys(Outputs).length,
        parameters: Object.keys(Parameters).length,
        bytes: readFileSync(join(directory, file)).length,
      };
      return (Object.keys(ofTemplates) as (keyof typeof ofTemplates)[]).map((kind) => {
        return { what: `${kind} of ${name}`, found: found[kind], limit: ofTemplates[kind] };
      });
    }),
    ...roles(deployment),
    ...ofType(deployment, 'AWS::Lambda::Function').map((made) => {
      const { Variables } = resolved(made, 'Environment') as { Variables: Readonly<Record<string, unknown>> };
      const found = size(Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, asGiven(value)])));
      return { what: `variables of ${made.path}`, found, limit: most.variables };
    }),
    ...ofType(deployment, 'AWS::DynamoDB::Table').map((table) => {
      return {
        what: `policy of ${table.path}`,
        found: size(resolved(table, 'ResourcePolicy')),
        limit: most.tablePolicy,
      };
    }),
    ...ofType(deployment, 'AWS::ApiGateway::RestApi').map((api) => {
      const { paths } = api.properties.Body as { paths: object };
      return { what: `paths of ${api.path}`, found: Object.keys(paths).length, limit: most.paths };
    }),
    ...ofType(deployment, 'AWS::CloudWatch::Dashboard').flatMap(dashboard),
    ...streams(deployment),
  ];
}

/** A role's inline policies, those that stand beside it included. */
function roles(deployment: Deployment): Limit[] {
  const all = ofType(deployment, 'AWS::IAM::Role');
  const beside = ofType(deployment, 'AWS::IAM::Policy').map((policy) => ({
    roles: resolved(policy, 'Roles') as string[],
    bytes: size(resolved(policy, 'PolicyDocument')),
  }));
  const sum = (sizes: number[]) => sizes.reduce((total, each) => total + each, 0);
  return [
    { what: 'roles', found: all.length, limit: most.roles },
    ...all.map((role) => {
      const inside = ((resolved(role, 'Policies') ?? []) as { PolicyDocument: object }[]).map(({ PolicyDocument }) =>
        size(PolicyDocument),
      );
      const name = reference(role);
      const found = sum([...inside, ...beside.flatMap(({ roles, bytes }) => (roles.includes(name) ? [bytes] : []))]);
      return { what: `inline policies of ${role.path}`, found, limit: most.inlinePolicies };
    }),
    ...all.map((role) => {
      const found = ((resolved(role, 'ManagedPolicyArns') ?? []) as unknown[]).length;
      return { what: `managed policies of ${role.path}`, found, limit: most.managedPolicies };
    }),
    ...ofType(deployment, 'AWS::IAM::ManagedPolicy').map((managed) => {
      const found = size(resolved(managed, 'PolicyDocument'));
      return { what: `managed policy ${managed.path}`, found, limit: most.managedPolicy };
    }),
  ];
}

function dashboard(made: Resource): Limit[] {
  const body = String(resolved(made, 'DashboardBody'));
  const { widgets } = JSON.parse(body) as { widgets: { properties: { metrics?: unknown[] } }[] };
  const sizes = widgets.map(({ properties: { metrics = [] } }) => metrics.length);
  const total = sizes.reduce((sum, each) => sum + each, 0);
  return [
    { what: `metrics of ${made.path}`, found: total, limit: most.dashboardMetrics },
    { what: `metrics of a widget of ${made.path}`, found: Math.max(...sizes), limit: most.widgetMetrics },
    { what: `bytes of ${made.path}`, found: bytes(body), limit: most.dashboardBytes },
  ];
}

function streams(deployment: Deployment): Limit[] {
  const sources = ofType(deployment, 'AWS::Lambda::EventSourceMapping')
    .map((mapping) => String(resolved(mapping, 'EventSourceArn')))
    .filter((source) => source.includes(':dynamodb:'));
  return Object.entries(Object.groupBy(sources, (source) => source)).map(([source, readers = []]) => {
    return { what: `consumers of ${source}`, found: readers.length, limit: most.consumersOfStream };
  });
}

function resolved({ properties, stack, path }: Resource, name: string): unknown {
  return resolve(properties[name], stack.scope, `${path}.${name}`);
}

const key = 'k'.repeat(64);
const fullRing = ringText({ current: key, next: key, old: Array<string>(mostKeys - 2).fill(key) });

/** A secret is as long as it can become: a ring of all keys that it may have. */
const asGiven = (value: unknown) =>
  typeof value === 'string' && value.includes('{{resolve:secretsmanager:') ? fullRing : value;

function size(document: unknown): number {
  return document === undefined ? 0 : bytes(JSON.stringify(document));
}

const bytes = (text: string): number => Buffer.byteLength(text);
