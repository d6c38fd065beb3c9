import * as z from 'zod/mini';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import type { Devices } from '../../devices/tables.ts';
import type { PushDevice } from '../rules/notification.ts';

/** Table `Devices`, which the domain of that name writes: what a push needs of a user's devices. */

const Row = z.object({
  deviceId: z.string(),
  platform: z.enum(['ios', 'android']),
  environment: z.enum(['production', 'sandbox']),
  locale: z.string(),
  endpointArn: z.nullable(z.string()),
  status: z.enum(['active', 'disabled', 'unconnected']),
  renewedAt: z.string(),
});

/** Every device of a user, also the disabled ones. */
export async function listDevices(table: Devices<'query'>, userId: string): Promise<PushDevice[]> {
  const rows = await queryAll(table, inPartition({ userId }));
  // A row that is none keeps no push from the other devices.
  return rows.flatMap((row) => z.safeParse(Row, row).data ?? []);
}
