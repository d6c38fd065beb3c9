import { isTime } from '../../../lib/contract/instant.ts';

/** Rows of lists that no answer can show. Pure. */

const longestId = 64;
const ids = ['flagId', 'userId', 'responseId'];
const times = ['raisedAt', 'recordedAt', 'receivedAt'];

export function isUnfit(row: Readonly<Record<string, unknown>>): boolean {
  const isId = (text: unknown) => typeof text === 'string' && text !== '' && text.length <= longestId;
  return !ids.every((name) => isId(row[name])) || !times.every((name) => isTime(row[name]));
}
