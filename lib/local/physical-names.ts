import type { StageModel } from './model.ts';

/**
 * The physical name of a table by its name in `lib/contract/tables.ts`.
 *
 * @throws an Error for a table that the template does not have
 */
export function tableNamed({ tables }: StageModel, name: string): string {
  return physicalNameIn(tables, 'Table', name);
}

/** The same for a bucket. */
export function bucketNamed({ buckets }: StageModel, name: string): string {
  return physicalNameIn(buckets, 'Bucket', name);
}

function physicalNameIn(
  resources: readonly { readonly logicalId: string; readonly name: string }[],
  kind: string,
  name: string,
): string {
  // CDK appends eight digits of a hash to the logical id of a resource that is not at its stack's root.
  const suffix = new RegExp(`(${kind})?([0-9A-F]{8})?$`);
  const found = resources.find(({ logicalId }) => logicalId.replace(suffix, '') === name);
  if (found) return found.name;
  const others = resources.map((resource) => resource.name).join(', ');
  throw new Error(`the template has no ${kind.toLowerCase()} ${name}, only ${others}`);
}
