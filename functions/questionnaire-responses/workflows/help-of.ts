import { readPlace } from '../../questionnaires/exports.ts';
import { type CrisisHelp, crisisHelp } from '../../questionnaires/rules/crisis-help.ts';
import type { ResponseRow } from '../stores/response-rows.ts';
import type { Reach } from './reach.ts';

type Asking = Pick<Reach, 'client' | 'userId'> & { readonly tables: { readonly Users: string } };

/** A response in the form that its patient gets. If it raised a flag, it says whom to call in a crisis. */
export async function withHelp(
  { client, tables, userId }: Asking,
  response: ResponseRow,
): Promise<ResponseRow & { readonly crisisHelp: CrisisHelp | null }> {
  if (response.flags.length === 0) return { ...response, crisisHelp: null };
  const { locale, timezone } = await readPlace(client, tables.Users, userId);
  return { ...response, crisisHelp: crisisHelp(locale, timezone) };
}
