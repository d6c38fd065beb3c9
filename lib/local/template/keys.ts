import * as z from 'zod/mini';
import type { KeyModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { TemplateError } from './intrinsics.ts';
import { attributeOf, reference } from './physical.ts';
import { Document, statementsOf } from './principals.ts';
import { ofType, read } from './resources.ts';

/** Properties that the template does not set have KMS's own defaults. */
const Properties = z.object({
  Description: z._default(z.string(), ''),
  Enabled: z._default(z.boolean(), true),
  KeySpec: z._default(z.string(), 'SYMMETRIC_DEFAULT'),
  KeyUsage: z._default(z.string(), 'ENCRYPT_DECRYPT'),
  KeyPolicy: z.optional(Document),
});

const Alias = z.object({ AliasName: z.string(), TargetKeyId: z.string() });

export function keysOf(deployment: Deployment): KeyModel[] {
  const aliases = ofType(deployment, 'AWS::KMS::Alias').map((resource) => read(resource, Alias));
  return ofType(deployment, 'AWS::KMS::Key').map((resource) => {
    const properties = read(resource, Properties);
    const { KeySpec: spec, KeyUsage: usage } = properties;
    if (usage === 'SIGN_VERIFY' && spec !== 'ECC_NIST_P256') {
      throw new TemplateError(`${resource.path}: only ECC_NIST_P256 signs on this machine, not ${spec}`);
    }
    const [id, arn] = [reference(resource), String(attributeOf(resource, 'Arn'))];
    return {
      logicalId: resource.logicalId,
      id,
      arn,
      description: properties.Description,
      spec,
      usage,
      isEnabled: properties.Enabled,
      aliases: aliases.filter(({ TargetKeyId }) => [id, arn].includes(TargetKeyId)).map(({ AliasName }) => AliasName),
      policy: properties.KeyPolicy ? statementsOf(properties.KeyPolicy.Statement) : null,
    };
  });
}
