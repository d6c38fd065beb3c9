import type * as tables from '../../../functions/devices/tables.ts';
import type { DataOf } from '../../../lib/contract/personal-data.ts';

const nobodys = { holds: 'x', why: 'x', howLong: 'x', readers: 'x', people: [] };
// @ts-expect-error TS2741: Property 'DeviceTokens' is missing
export const data: DataOf<typeof tables> = { Devices: nobodys };
