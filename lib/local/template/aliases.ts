import * as z from 'zod/mini';
import type { Deployment } from './deployment.ts';
import { reference } from './physical.ts';
import { ofType, read } from './resources.ts';

const Alias = z.object({ FunctionName: z.string(), FunctionVersion: z.string(), Name: z.string() });

/**
 * Maps an alias's ARN to the ARN of its function; other ARNs stay unchanged. On this machine a function has only one
 * version, its current code, so an alias never moves.
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
