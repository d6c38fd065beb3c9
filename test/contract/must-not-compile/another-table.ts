import type { SitePatients, SiteStaff } from '../../../functions/crm-sites/tables.ts';

const read = (table: SitePatients<'get'>) => table;

// Both have the same keys.
// @ts-expect-error TS2345: is not assignable to parameter of type
export const asked = (staff: SiteStaff<'get'>) => read(staff);
