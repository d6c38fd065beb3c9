import * as z from 'zod/mini';
import type { TableModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { attributeOf, physicalName } from './physical.ts';
import { Document, statementsOf } from './principals.ts';
import { ofType, read } from './resources.ts';

const ResourcePolicy = z.optional(z.object({ PolicyDocument: Document }));

/**
 * The properties that CreateTable accepts and this machine's DynamoDB uses. Only AWS uses backups, encryption, tags and
 * protection.
 */
const Definition = z.object({
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: z.array(z.unknown()),
  BillingMode: z.optional(z.string()),
  ProvisionedThroughput: z.optional(z.unknown()),
  GlobalSecondaryIndexes: z.optional(z.array(z.unknown())),
  LocalSecondaryIndexes: z.optional(z.array(z.unknown())),
});

const Rest = z.object({
  StreamSpecification: z.optional(z.object({ StreamViewType: z.string() })),
  TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.optional(z.string()), Enabled: z.boolean() })),
  ResourcePolicy,
  Replicas: z.optional(z.array(z.object({ Region: z.string(), ResourcePolicy }))),
});

export function tablesOf(deployment: Deployment): TableModel[] {
  return ofType(deployment, 'AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable').map((resource) => {
    const name = physicalName(resource);
    const { StreamSpecification: stream, TimeToLiveSpecification: ttl, ...rest } = read(resource, Rest);
    const here = rest.Replicas?.find(({ Region }) => Region === resource.stack.region);
    const statements = (rest.ResourcePolicy ?? here?.ResourcePolicy)?.PolicyDocument.Statement ?? [];
    return {
      logicalId: resource.logicalId,
      name,
      arn: String(attributeOf(resource, 'Arn')),
      definition: {
        TableName: name,
        ...read(resource, Definition),
        ...(stream && { StreamSpecification: { ...stream, StreamEnabled: true } }),
      },
      timeToLiveAttribute: ttl?.Enabled ? (ttl.AttributeName ?? null) : null,
      policy: statementsOf(statements),
    };
  });
}
