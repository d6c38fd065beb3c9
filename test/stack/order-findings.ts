import type { DeployOrder, Node } from './deploy-order.ts';

/**
 * What a first deployment can fail of because CloudFormation makes it before what it needs: a service checks at the creation
 * whether the role or the resource policy allows what will be done in its name.
 */

type Need = {
  readonly user: Node;
  readonly needed: Node;
};

/** @returns a line for each resource that does not wait for what it needs, or that needs what is not there */
export function orderFindings({ nodes, isBefore }: DeployOrder): string[] {
  const late = [...policiesOfRoles(nodes), ...stagesAndPermissions(nodes)]
    .filter(({ user, needed }) => !isBefore(needed, user))
    .map(({ user, needed }) => `${user.path} does not wait for ${needed.path}`);
  return [...late, ...callsOfFunctions(nodes, isBefore), ...targetPolicies(nodes, isBefore)].sort();
}

/** By type: the properties that name a role. */
const roleProperties: Readonly<Record<string, (properties: Node['properties']) => unknown[]>> = {
  'AWS::Lambda::Function': ({ Role }) => [Role],
  'AWS::CodeDeploy::DeploymentGroup': ({ ServiceRoleArn }) => [ServiceRoleArn],
  'AWS::Backup::BackupSelection': ({ BackupSelection }) => [(BackupSelection as { IamRoleArn?: unknown }).IamRoleArn],
  'AWS::ApiGateway::Account': ({ CloudWatchRoleArn }) => [CloudWatchRoleArn],
  'AWS::Events::Rule': ({ Targets }) => ((Targets ?? []) as { RoleArn?: unknown }[]).map(({ RoleArn }) => RoleArn),
};

/** Lambda answers that the role may not call PutTraceSegments; a mapping waits for its function, and so for these, too. */
function policiesOfRoles(nodes: readonly Node[]): Need[] {
  const policies = nodes
    .filter(({ type }) => /^AWS::IAM::(Policy|ManagedPolicy|RolePolicy)$/.test(type))
    .flatMap((policy) => {
      const { Roles = [], RoleName } = policy.properties as { Roles?: unknown[]; RoleName?: unknown };
      return [...Roles, RoleName].flatMap((each) => policy.refersTo(each) ?? []).map((role) => ({ policy, role }));
    });
  return nodes.flatMap((user) => {
    const roles = (roleProperties[user.type]?.(user.properties) ?? []).map(user.refersTo);
    return policies.filter(({ role }) => roles.includes(role)).map(({ policy }) => ({ user, needed: policy }));
  });
}

/** Else a stage serves what API Gateway may not call yet. */
function stagesAndPermissions(nodes: readonly Node[]): Need[] {
  const permissions = permissionsFor(nodes, 'apigateway.amazonaws.com');
  return ofType(nodes, 'AWS::ApiGateway::Stage').flatMap((user) => {
    const api = user.refersTo(user.properties.RestApiId);
    return permissions
      .filter(({ source }) => source.includes(api))
      .map(({ permission }) => ({ user, needed: permission }));
  });
}

/**
 * Who calls a function by its resource policy. SNS and S3 check it when they are told to; EventBridge does not, and its
 * rule comes first, as the permission names it.
 */
function callsOfFunctions(nodes: readonly Node[], isBefore: DeployOrder['isBefore']): string[] {
  const calls = [
    ...ofType(nodes, 'AWS::SNS::Subscription')
      .filter(({ properties }) => properties.Protocol === 'lambda')
      .map((user) => ({ user, called: user.properties.Endpoint, principal: 'sns.amazonaws.com', checks: true })),
    ...ofType(nodes, 'AWS::S3::Bucket').flatMap((user) =>
      notifications(user, 'Lambda').map((called) => ({ user, called, principal: 's3.amazonaws.com', checks: true })),
    ),
    ...ofType(nodes, 'AWS::Events::Rule').flatMap((user) =>
      ((user.properties.Targets ?? []) as { Arn: unknown }[])
        .filter(({ Arn }) => /^AWS::Lambda::(Function|Alias)$/.test(user.refersTo(Arn)?.type ?? ''))
        .map(({ Arn }) => ({ user, called: Arn, principal: 'events.amazonaws.com', checks: false })),
    ),
  ];
  return calls.flatMap(({ user, called, principal, checks }) => {
    const target = user.refersTo(called);
    const allowing = permissionsFor(nodes, principal).filter(({ permission, ofFunction }) => {
      return ofFunction === target && (!checks || isBefore(permission, user));
    });
    const waits = checks ? 'does not wait for a permission' : 'has no permission';
    return allowing.length > 0 ? [] : [`${user.path} ${waits} to call ${target?.path}`];
  });
}

/** Queues and topics that a bucket notifies, by their own policies. */
function targetPolicies(nodes: readonly Node[], isBefore: DeployOrder['isBefore']): string[] {
  const kinds = [
    ['Queue', 'AWS::SQS::QueuePolicy', 'Queues'],
    ['Topic', 'AWS::SNS::TopicPolicy', 'Topics'],
  ] as const;
  return ofType(nodes, 'AWS::S3::Bucket').flatMap((user) =>
    kinds.flatMap(([kind, type, property]) =>
      notifications(user, kind).flatMap((notified) => {
        const target = user.refersTo(notified);
        const allowing = ofType(nodes, type).filter((policy) => {
          const held = (policy.properties[property] ?? []) as unknown[];
          return held.map(policy.refersTo).includes(target) && isBefore(policy, user);
        });
        return allowing.length > 0 ? [] : [`${user.path} does not wait for a policy of ${target?.path}`];
      }),
    ),
  );
}

function notifications({ properties }: Node, kind: 'Lambda' | 'Queue' | 'Topic'): unknown[] {
  const configured = (properties.NotificationConfiguration ?? {}) as Record<string, Record<string, unknown>[]>;
  const arn = { Lambda: 'Function', Queue: 'Queue', Topic: 'Topic' }[kind];
  return (configured[`${kind}Configurations`] ?? []).map((each) => each[arn]);
}

function permissionsFor(nodes: readonly Node[], principal: string) {
  return ofType(nodes, 'AWS::Lambda::Permission')
    .filter(({ properties }) => properties.Principal === principal)
    .map((permission) => ({
      permission,
      ofFunction: permission.refersTo(permission.properties.FunctionName),
      source: parts(permission.properties.SourceArn).map(permission.refersTo),
    }));
}

/** An ARN is a reference, or text joined with some. */
function parts(arn: unknown): unknown[] {
  const joined = (arn as { 'Fn::Join'?: [string, unknown[]] } | undefined)?.['Fn::Join'];
  return joined ? joined[1] : [arn];
}

function ofType(nodes: readonly Node[], type: string): Node[] {
  return nodes.filter((node) => node.type === type);
}
