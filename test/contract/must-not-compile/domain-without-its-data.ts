import * as tables from '../../../functions/devices/tables.ts';
import type { Domain } from '../../../lib/contract/declarations.ts';

// @ts-expect-error TS2322: Property 'data' is missing
export const devices: Domain = { tables };
