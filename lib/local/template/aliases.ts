import * as z from 'zod/mini';
import type { Deployment } from './deployment.ts';
import { reference } from './physical.ts';
import { ofType, read } from './resources.ts';

const Alias = z.object({ FunctionName: z.string(), FunctionVersion: z.string(), Name: z.string() });

/**
 * An alias's ARN → its function's; any other as it is. On this machine a function has one version, its code as it stands:
 * nothing moves an alias here.
 */
export function aliasTargets(deployment: Deployment): (arn: string) => string {
  const targets = new Map(
    ofType(deployment, 'AWS::Lambda::Alias').map((resource) => {
      const arn = reference(resource);
      return [arn, arn.slice(0, -`:${read(resource, Alias).Name}`.length)];
    }),
  );
  return (arn) => targets.get(arn) ?? arn;
}
