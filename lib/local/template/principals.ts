import * as z from 'zod/mini';
import type { Principal, Statement } from '../iam.ts';
import type { FunctionModel } from '../model.ts';
import type { Deployment, Resource } from './deployment.ts';
import { TemplateError } from './intrinsics.ts';
import { attributeOf, reference } from './physical.ts';
import { ofType, read } from './resources.ts';

const OneOrMore = z.union([z.string(), z.array(z.string())]);

const PolicyStatement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.optional(OneOrMore),
  NotAction: z.optional(OneOrMore),
  Resource: z.optional(OneOrMore),
  NotResource: z.optional(OneOrMore),
  Principal: z.optional(z.unknown()),
  NotPrincipal: z.optional(z.unknown()),
  Condition: z.optional(z.record(z.string(), z.record(z.string(), OneOrMore))),
});
export const Document = z.object({ Statement: z.array(PolicyStatement) });

const Role = z.object({
  ManagedPolicyArns: z._default(z.array(z.string()), []),
  Policies: z._default(z.array(z.object({ PolicyDocument: Document })), []),
});
const Policy = z.object({ PolicyDocument: Document, Roles: z._default(z.array(z.string()), []) });
const RolePolicy = z.object({ PolicyDocument: Document, RoleName: z.string() });

/** AWS's own policies that do not concern data. */
const logging =
  /:aws:policy\/(service-role\/AWSLambda(BasicExecution|VPCAccessExecution)Role|AWSXRayDaemonWriteAccess)$/;

/** The roles that our functions run as, each with all of its identity policies. */
export function principalsOf(deployment: Deployment, functions: readonly FunctionModel[]): Principal[] {
  const used = new Set(functions.map(({ roleArn }) => roleArn));
  const roles = new Map(
    ofType(deployment, 'AWS::IAM::Role')
      .map((role) => [String(attributeOf(role, 'Arn')), role] as const)
      .filter(([arn]) => used.has(arn)),
  );
  const policies = ofType(deployment, 'AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy').map((resource) => ({
    resource,
    ...read(resource, z.pick(Policy, { Roles: true })),
  }));
  const rolePolicies = ofType(deployment, 'AWS::IAM::RolePolicy').map((resource) => read(resource, RolePolicy));
  for (const { name, roleArn } of functions) {
    if (!roles.has(roleArn)) {
      throw new TemplateError(`the role of the function ${name} is not in the template: ${roleArn}`);
    }
  }
  return [...roles].map(([arn, role]) => {
    const { ManagedPolicyArns, Policies } = read(role, Role);
    const name = reference(role);
    const managed = managedPolicies(ManagedPolicyArns, policies, role);
    const attached = policies.filter(({ resource, Roles }) => Roles.includes(name) || managed.includes(resource));
    const documents = [
      ...Policies,
      ...attached.map(({ resource }) => read(resource, z.pick(Policy, { PolicyDocument: true }))),
      ...rolePolicies.filter(({ RoleName }) => RoleName === name),
    ];
    return {
      arn,
      statements: documents.flatMap(({ PolicyDocument }) => statementsOf(PolicyDocument.Statement)),
    };
  });
}

/** Removes undefined keys, because absent keys have another meaning. */
export function statementsOf(statements: z.infer<typeof PolicyStatement>[]): Statement[] {
  return statements.map((statement) => JSON.parse(JSON.stringify(statement)) as Statement);
}

function managedPolicies(arns: readonly string[], policies: readonly { resource: Resource }[], role: Resource) {
  return arns
    .filter((arn) => !logging.test(arn))
    .map((arn) => {
      const found = policies.find(
        ({ resource }) => resource.type === 'AWS::IAM::ManagedPolicy' && reference(resource) === arn,
      );
      if (!found) throw new TemplateError(`${role.path}: what ${arn} allows is not known on this machine`);
      return found.resource;
    });
}
