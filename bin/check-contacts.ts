import { staleContacts } from '../functions/questionnaires/rules.ts';

export function run(): void {
  const old = staleContacts(new Date().toISOString().slice(0, 10));
  for (const contact of old) console.error(contact);
  if (old.length > 0) process.exitCode = 1;
}
