import * as z from 'zod/mini';
import type { QueueModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { attributeOf, physicalName, reference } from './physical.ts';
import { Numeric, ofType, read } from './resources.ts';

const Properties = z.object({
  // SQS's own default.
  VisibilityTimeout: z._default(Numeric, 30),
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: Numeric })),
});

export function queuesOf(deployment: Deployment): QueueModel[] {
  return ofType(deployment, 'AWS::SQS::Queue').map((resource) => {
    const { VisibilityTimeout, RedrivePolicy: redrive } = read(resource, Properties);
    return {
      logicalId: resource.logicalId,
      name: physicalName(resource),
      arn: String(attributeOf(resource, 'Arn')),
      url: reference(resource),
      visibilityMs: VisibilityTimeout * 1000,
      redrive: redrive ? { deadLetterArn: redrive.deadLetterTargetArn, maxReceives: redrive.maxReceiveCount } : null,
    };
  });
}
