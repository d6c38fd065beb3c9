import { adjust, get, read } from '../../lib/contract/uses.ts';
import { EndedSessions, Sessions } from './tables.ts';

/** What ends sessions: the list, and the row that every signed-in request reads. */
export const endingUses = [read(Sessions), adjust(Sessions), get(EndedSessions), adjust(EndedSessions)] as const;
