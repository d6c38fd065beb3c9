import type * as tables from '../../../functions/devices/tables.ts';
import type { DataOf } from '../../../lib/contract/personal-data.ts';

const unprotected = { holds: 'x', why: 'x', howLong: 'x', readers: 'x', people: [] };
const nobodys = { ...unprotected, level: 'internal' } as const;
// @ts-expect-error TS2741: Property 'DeviceTokens' is missing
export const data: DataOf<typeof tables> = { Devices: nobodys };
// @ts-expect-error TS2741: Property 'level' is missing
export const open: DataOf<Pick<typeof tables, 'Devices'>> = { Devices: unprotected };
