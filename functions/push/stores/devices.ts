import * as z from 'zod/mini';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { mostDevices } from '../../devices/rules.ts';
import type { Devices } from '../../devices/tables.ts';
import type { PushDevice } from '../rules/notification.ts';

/** Table `Devices`, which the domain of that name writes: what a push needs of a user's devices. */

const text = z.string().check(z.maxLength(2048));

const Row = z.object({
  deviceId: text,
  platform: z.enum(['ios', 'android']),
  environment: z.enum(['production', 'sandbox']),
  locale: text,
  endpointArn: z.nullable(text),
  status: z.enum(['active', 'disabled', 'unconnected']),
  renewedAt: text,
});

/** More than several registrations at once leave. Rows without end of one user would hold up the pushes of others. */
const mostRows = 3 * mostDevices;

/** Every device of a user, also the disabled ones. */
export async function listDevices(table: Devices<'query'>, userId: string): Promise<PushDevice[]> {
  const devices: PushDevice[] = [];
  let count = 0;
  for await (const row of queryEach(table, inPartition({ userId }))) {
    // A row that is none keeps no push from the other devices.
    const device = z.safeParse(Row, row).data;
    if (device) devices.push(device);
    count += 1;
    if (count === mostRows) break;
  }
  return devices;
}
