import { mostKeys, ringText } from '../../lib/contract/key-ring.ts';
import type { Deployment, Resource } from '../../lib/local/template/deployment.ts';
import { resolve } from '../../lib/local/template/intrinsics.ts';
import { reference } from '../../lib/local/template/physical.ts';
import { ofType } from '../../lib/local/template/resources.ts';
import { deployed } from './deployed.ts';
import type { Stage } from './stage.ts';

/** What grows with the domains, and how far it may: somewhat below what AWS allows, so that there is time to act. */

export type Limit = {
  /** `resources of State` */
  readonly what: string;
  readonly found: number;
  readonly most: number;
};

const kibibyte = 1024;

/** Of whole templates: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const ofTemplates = { resources: 450, outputs: 180, parameters: 190, bytes: 900 * kibibyte } as const;

/** Of single resources. */
const most = {
  // 4 KB of JSON: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  variables: 3.5 * kibibyte,
  // 10,240 characters, and 1,000 roles of an account: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  inlinePolicies: 9 * kibibyte,
  // 6,144 characters each, 10 of a role: the same page.
  managedPolicy: 5.5 * kibibyte,
  managedPolicies: 9,
  // Of an account for one environment.
  roles: 900,
  // 20 KB: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-considerations.html
  tablePolicy: 18 * kibibyte,
  // 300: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
  paths: 280,
  // 2,500 in all of a dashboard, and 500 in a widget; of the body AWS names no limit:
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
  dashboardMetrics: 2000,
  widgetMetrics: 450,
  dashboardBytes: 500 * kibibyte,
  // More are throttled: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
  consumersOfStream: 2,
} as const;

export function limitsOf(stage: Stage): Limit[] {
  const deployment = deployed(stage);
  return [
    ...Object.entries(stage.templates).flatMap(([name, template]) => {
      const { Resources, Outputs = {}, Parameters = {} } = template;
      const found = {
        resources: Object.keys(Resources).length,
        outputs: Object.keys(Outputs).length,
        parameters: Object.keys(Parameters).length,
        // As it is written: without indentation.
        bytes: size(template),
      };
      return (Object.keys(ofTemplates) as (keyof typeof ofTemplates)[]).map((kind) => {
        return { what: `${kind} of ${name}`, found: found[kind], most: ofTemplates[kind] };
      });
    }),
    ...roles(deployment),
    ...ofType(deployment, 'AWS::Lambda::Function').map((made) => {
      const { Variables } = resolved(made, 'Environment') as { Variables: Readonly<Record<string, unknown>> };
      const found = size(Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, asGiven(value)])));
      return { what: `variables of ${made.path}`, found, most: most.variables };
    }),
    ...ofType(deployment, 'AWS::DynamoDB::Table').map((table) => {
      return {
        what: `policy of ${table.path}`,
        found: size(resolved(table, 'ResourcePolicy')),
        most: most.tablePolicy,
      };
    }),
    ...ofType(deployment, 'AWS::ApiGateway::RestApi').map((api) => {
      const { paths } = api.properties.Body as { paths: object };
      return { what: `paths of ${api.path}`, found: Object.keys(paths).length, most: most.paths };
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
    { what: 'roles', found: all.length, most: most.roles },
    ...all.map((role) => {
      const inside = ((resolved(role, 'Policies') ?? []) as { PolicyDocument: object }[]).map(({ PolicyDocument }) =>
        size(PolicyDocument),
      );
      const name = reference(role);
      const found = sum([...inside, ...beside.flatMap(({ roles, bytes }) => (roles.includes(name) ? [bytes] : []))]);
      return { what: `inline policies of ${role.path}`, found, most: most.inlinePolicies };
    }),
    ...all.map((role) => {
      const found = ((resolved(role, 'ManagedPolicyArns') ?? []) as unknown[]).length;
      return { what: `managed policies of ${role.path}`, found, most: most.managedPolicies };
    }),
    ...ofType(deployment, 'AWS::IAM::ManagedPolicy').map((managed) => {
      const found = size(resolved(managed, 'PolicyDocument'));
      return { what: `managed policy ${managed.path}`, found, most: most.managedPolicy };
    }),
  ];
}

function dashboard(made: Resource): Limit[] {
  const body = String(resolved(made, 'DashboardBody'));
  const { widgets } = JSON.parse(body) as { widgets: { properties: { metrics?: unknown[] } }[] };
  const sizes = widgets.map(({ properties: { metrics = [] } }) => metrics.length);
  const total = sizes.reduce((sum, each) => sum + each, 0);
  return [
    { what: `metrics of ${made.path}`, found: total, most: most.dashboardMetrics },
    { what: `metrics of a widget of ${made.path}`, found: Math.max(...sizes), most: most.widgetMetrics },
    { what: `bytes of ${made.path}`, found: bytes(body), most: most.dashboardBytes },
  ];
}

function streams(deployment: Deployment): Limit[] {
  const sources = ofType(deployment, 'AWS::Lambda::EventSourceMapping')
    .map((mapping) => String(resolved(mapping, 'EventSourceArn')))
    .filter((source) => source.includes(':dynamodb:'));
  return Object.entries(Object.groupBy(sources, (source) => source)).map(([source, readers = []]) => {
    return { what: `consumers of ${source}`, found: readers.length, most: most.consumersOfStream };
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

export function exceeded(limits: readonly Limit[]): Limit[] {
  return limits.filter(({ found, most }) => found > most);
}
