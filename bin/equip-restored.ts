import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { differences, equip, readEquipment, settledEvery } from './table-equipment.ts';

/**
 * Gives the settings that `restoreTables` gives to a table that was restored in another way, from AWS Backup's vault.
 *
 * @returns the settings that still differ from the table in use
 * @throws an Error if the table is the one in use, or has other keys; then nothing was written
 */
export async function equipRestored(
  dynamo: DynamoDBClient,
  { source, name, pollMs = 15_000 }: { readonly source: string; readonly name: string; readonly pollMs?: number },
): Promise<string[]> {
  if (name === source) throw new Error(`${name} is the table in use`);
  const wanted = await readEquipment(dynamo, source);
  const found = await readEquipment(dynamo, name);
  if (differences(wanted, found).includes('keys')) throw new Error(`${name} has other keys than ${source}`);
  await equip(dynamo, name, wanted, settledEvery(pollMs));
  return differences(wanted, await readEquipment(dynamo, name));
}
