import { type CfnResource, Validations } from 'aws-cdk-lib/core';
import type { Statement } from './policy.ts';

/** A statement that may end in a wildcard: its actions and its resource. */
type Wildcard = { readonly actions: RegExp; readonly resource: RegExp; readonly reason: string };

export const wildcards = {
  traces: {
    actions: /^xray:Put(TraceSegments|TelemetryRecords)$/,
    resource: /^\*$/,
    reason: 'X-Ray knows no resources; the function can send its own spans, and read nothing.',
  },
  objects: {
    actions: /^s3:(GetObject|GetObjectVersion|PutObject|PutObjectLegalHold|DeleteObject|AbortMultipartUpload)$/,
    resource: /[^*]\/\*$/,
    reason:
      'The objects of one bucket or below one prefix, whose keys are made at run time; nothing of the bucket itself.',
  },
  streams: {
    actions: /^dynamodb:ListStreams$/,
    resource: /[^*]\/stream\/\*$/,
    reason: "Lambda asks which streams the one table has; the records are granted of the stream's own ARN.",
  },
  endpoints: {
    actions: /^sns:(Publish|(Get|Set)EndpointAttributes|DeleteEndpoint)$/,
    resource: /:endpoint\/[^*]+\/\*$/,
    reason: "The endpoints of the environment's own platform applications, made at run time for each phone.",
  },
  erasedEndpoints: {
    actions: /^sns:DeleteEndpoint$/,
    resource: /:endpoint\/\*\/mobile-health-[a-z]+-\*$/,
    reason: "The endpoints of all platform applications that the environment ever had: an account's go with it.",
  },
  alarms: {
    actions: /^cloudwatch:DescribeAlarms$/,
    resource: /:alarm:\*$/,
    reason: 'CodeDeploy asks for its alarms by their names in one list, for which IAM wants all of the region.',
  },
} as const satisfies Record<string, Wildcard>;

/**
 * Acknowledges `AwsSolutions-IAM5` for the known wildcards, on the role or policy that has them. A wildcard is known by its
 * actions, too: `s3:GetObject` on `<bucket>/*` is known; `s3:*` or `dynamodb:Scan` on the same resource is a finding.
 */
export function acknowledgeWildcards(holder: CfnResource, statements: readonly Statement[]): void {
  const held = statements.flatMap(({ Action, Resource }) =>
    [Resource].flat().flatMap((resource) => (resource.includes('*') ? [{ actions: [Action].flat(), resource }] : [])),
  );
  const known = held.map(({ actions, resource }) => ({
    resource,
    reason: Object.values(wildcards).find(
      (one) => one.resource.test(resource) && actions.every((action) => one.actions.test(action)),
    )?.reason,
  }));
  holder.node.addValidation({
    // A finding contains its resource as the template writes it. The name of another stack's resource is known only at this
    // point.
    validate: () => {
      for (const { resource, reason } of known) {
        const isKnown = known.every((one) => one.resource !== resource || one.reason !== undefined);
        if (!reason || !isKnown) continue;
        const id = `AwsSolutions-IAM5[Resource::${flat(holder.stack.resolve(resource))}]`;
        Validations.of(holder).acknowledge({ id, reason });
      }
      return [];
    },
  });
}

/** A reference as cdk-nag writes it. */
function flat(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[intrinsic, operand] = []] = Object.entries(value as Record<string, unknown>);
  if (intrinsic === 'Ref') return `<${operand}>`;
  if (intrinsic === 'Fn::GetAtt') return `<${(operand as string[]).join('.')}>`;
  if (intrinsic === 'Fn::Join') return (operand as [string, unknown[]])[1].map(flat).join((operand as [string])[0]);
  return JSON.stringify(value);
}
