import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { updateRow } from '../../../lib/runtime/rows.ts';
import type { Device } from '../rules/device.ts';
import type { Devices } from '../tables.ts';

/** Stops sending until the app registers a fresh token; a device that has done so since it was read stays as it is. */
export async function markUnreachable(
  table: Devices<'updateRow'>,
  { userId, deviceId, revision }: Device,
): Promise<void> {
  const marking = updateRow(
    table,
    { userId, deviceId },
    {
      UpdateExpression: 'SET #status = :disabled',
      ConditionExpression: 'revision = :revision',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':disabled': 'disabled', ':revision': revision },
    },
  );
  await succeedsUnlessConflict(marking);
}
