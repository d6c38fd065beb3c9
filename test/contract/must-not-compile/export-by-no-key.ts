import type { Person } from '../../../lib/contract/personal-data.ts';

const found = { described: 'by a look at all rows' };
const onErasure = { keep: 'a reason', until: 'for good' };
// @ts-expect-error TS2322: is not assignable to type 'Person'
export const user: Person = { who: 'the user', inExport: true, found, onErasure };
