import type { DeployOrder, Node } from './deploy-order.ts';

/**
 * What a first deployment can fail of because CloudFormation makes it before what it needs: a service checks at the creation
 * whether the role or the resource policy allows what will be done in its name.
 */

type Need = {
  readonly user: Node;
  readonly needed: Node;
};

/** @returns a line for each resource that does not wait for what it needs, that needs what is not there, or that leads nowhere */
export function orderFindings({ nodes, isBefore }: DeployOrder): string[] {
  const late = [...policiesOfRoles(nodes), ...stagesAndPermissions(nodes)]
    .filter(({ user, needed }) => !isBefore(needed, user))
    .map(({ user, needed }) => `${user.path} does not wait for ${needed.path}`);
  const called = [...callsOfFunctions(nodes, isBefore), ...targetPolicies(nodes, isBefore)];
  return [...new Set([...late, ...called, ...leadNowhere(nodes)])].sort();
}

const isPolicy = ({ type }: Node) => /^AWS::IAM::(Policy|ManagedPolicy|RolePolicy)$/.test(type);
/** A nested stack and Parameter Store pass a role on to those that use it. */
const usesNoRole = (node: Node) =>
  isPolicy(node) || /^AWS::(IAM::Role|CloudFormation::Stack|SSM::Parameter)$/.test(node.type);

/** Lambda answers that the role may not call PutTraceSegments; a mapping waits for its function, and so for these, too. */
function policiesOfRoles(nodes: readonly Node[]): Need[] {
  const policies = nodes.filter(isPolicy).flatMap((policy) => {
    const { Roles, RoleName } = policy.properties;
    return policy.mentions([Roles, RoleName]).map((role) => ({ policy, role }));
  });
  return nodes
    .filter((node) => !usesNoRole(node))
    .flatMap((user) => {
      const roles = new Set(user.mentions(withoutWhom(user.properties)));
      return policies.filter(({ role }) => roles.has(role)).map(({ policy }) => ({ user, needed: policy }));
    });
}

/** Of whom a policy's statement speaks does not act by it. */
function withoutWhom(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutWhom);
  const whom = 'Effect' in value ? ['Principal', 'NotPrincipal', 'Condition'] : [];
  const kept = Object.entries(value).filter(([name]) => !whom.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutWhom(inner)]));
}

/** What these checks follow and cannot: of a literal or a composed name they would find nothing. */
function leadNowhere(nodes: readonly Node[]): string[] {
  const lost = nodes.flatMap((node) => {
    const { type, properties, refersTo, mentions } = node;
    const roles = usesNoRole(node) ? [] : rolesNamedIn(withoutWhom(properties));
    // A function has a name of its own; of others it is whose they are.
    const named = type === 'AWS::Lambda::Function' ? [] : [['FunctionName', properties.FunctionName] as const];
    const api = type === 'AWS::ApiGateway::Stage' ? [['RestApiId', properties.RestApiId ?? null] as const] : [];
    return [
      ...roles.filter(([, value]) => !mentions(value).some((found) => found.type === 'AWS::IAM::Role')),
      ...[...named, ...api].filter(([, value]) => value !== undefined && !refersTo(value)),
    ].map(([name]) => ({ node, name }));
  });
  const endpoints = [...subscriptions(nodes, 'lambda'), ...subscriptions(nodes, 'sqs')]
    .filter(({ user, endpoint }) => !user.refersTo(endpoint))
    .map(({ user }) => ({ node: user, name: 'Endpoint' }));
  return [...lost, ...endpoints].map(({ node, name }) => `${node.path}: its ${name} leads nowhere`);
}

/** `Role`, `RoleArn`, `ServiceRoleArn` and the like, however deep. */
function rolesNamedIn(value: unknown): (readonly [string, unknown])[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /Role(Arn|ARN)?$/.test(name) ? [[name, inner] as const] : rolesNamedIn(inner),
  );
}

/** Else a stage serves what API Gateway may not call yet. */
function stagesAndPermissions(nodes: readonly Node[]): Need[] {
  const permissions = permissionsFor(nodes, 'apigateway.amazonaws.com');
  return ofType(nodes, 'AWS::ApiGateway::Stage').flatMap((user) => {
    const api = user.refersTo(user.properties.RestApiId);
    return permissions
      .filter(({ source }) => api !== null && source.includes(api))
      .map(({ permission }) => ({ user, needed: permission }));
  });
}

/**
 * Which services call a function by its resource policy. SNS and S3 check it when they are configured; EventBridge does
 * not, and its rule comes first, as the permission names it.
 */
function callsOfFunctions(nodes: readonly Node[], isBefore: DeployOrder['isBefore']): string[] {
  const calls = [
    ...subscriptions(nodes, 'lambda').map(({ user, endpoint }) => {
      return { user, called: endpoint, principal: 'sns.amazonaws.com', checks: true };
    }),
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
      return target !== null && ofFunction === target && (!checks || isBefore(permission, user));
    });
    const waits = checks ? 'does not wait for a permission' : 'has no permission';
    return allowing.length > 0 ? [] : [`${user.path} ${waits} to call ${target?.path ?? 'an unknown resource'}`];
  });
}

/** Queues and topics that a bucket notifies or a topic sends to, by their own policies. */
function targetPolicies(nodes: readonly Node[], isBefore: DeployOrder['isBefore']): string[] {
  const buckets = ofType(nodes, 'AWS::S3::Bucket');
  const queue = { type: 'AWS::SQS::QueuePolicy', property: 'Queues' };
  const topic = { type: 'AWS::SNS::TopicPolicy', property: 'Topics' };
  const sent = [
    ...buckets.flatMap((user) => notifications(user, 'Queue').map((to) => ({ user, to, by: queue }))),
    ...buckets.flatMap((user) => notifications(user, 'Topic').map((to) => ({ user, to, by: topic }))),
    ...subscriptions(nodes, 'sqs').map(({ user, endpoint }) => ({ user, to: endpoint, by: queue })),
  ];
  return sent.flatMap(({ user, to, by: { type, property } }) => {
    const target = user.refersTo(to);
    const allowing = ofType(nodes, type).filter((policy) => {
      const held = (policy.properties[property] ?? []) as unknown[];
      return target !== null && held.map(policy.refersTo).includes(target) && isBefore(policy, user);
    });
    const what = target?.path ?? 'an unknown resource';
    return allowing.length > 0 ? [] : [`${user.path} does not wait for a policy of ${what}`];
  });
}

/** Resources of their own, and those within a topic. */
function subscriptions(nodes: readonly Node[], protocol: 'lambda' | 'sqs'): { user: Node; endpoint: unknown }[] {
  type Subscription = { readonly Protocol?: unknown; readonly Endpoint?: unknown };
  const within = ({ properties }: Node) => (properties.Subscription ?? []) as Subscription[];
  return [
    ...ofType(nodes, 'AWS::SNS::Subscription').map((user) => ({ user, of: user.properties as Subscription })),
    ...ofType(nodes, 'AWS::SNS::Topic').flatMap((user) => within(user).map((of) => ({ user, of }))),
  ].flatMap(({ user, of: { Protocol, Endpoint } }) => (Protocol === protocol ? [{ user, endpoint: Endpoint }] : []));
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
      source: permission.mentions(permission.properties.SourceArn),
    }));
}

function ofType(nodes: readonly Node[], type: string): Node[] {
  return nodes.filter((node) => node.type === type);
}
