import type { Person } from '../../../lib/contract/personal-data.ts';

const found = { described: 'by a look at all rows' };
// @ts-expect-error TS2322: is not assignable to type 'Person'
export const user: Person = { who: 'the user', inExport: true, found, onErasure: 'erase' };
