import type { StageModel } from './model.ts';

/**
 * The physical name of a table by its name in `lib/contract/tables.ts`.
 *
 * @throws an Error for one that the template does not have
 */
export function tableNamed({ tables }: StageModel, name: string): string {
  // CDK ends the logical id of what is not at its stack's root with eight digits of a hash.
  const found = tables.find(({ logicalId }) => logicalId.replace(/(Table)?([0-9A-F]{8})?$/, '') === name);
  if (!found)
    throw new Error(`the template has no table ${name}, only ${tables.map((table) => table.name).join(', ')}`);
  return found.name;
}
