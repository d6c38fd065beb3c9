import { staleContacts } from '../functions/questionnaires/rules.ts';

/**
 * `npm run check:contacts`: names each crisis contact that nobody has compared with its source for twelve months. It is not a part of
 * `npm run check`, which must not fail by the calendar; `npm run preflight` includes it. Exit codes: 0 none, 1 some.
 */
const old = staleContacts(new Date().toISOString().slice(0, 10));
for (const contact of old) console.error(contact);
if (old.length > 0) process.exitCode = 1;
