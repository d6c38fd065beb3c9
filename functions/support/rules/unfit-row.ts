/** Rows of lists that no answer can show. Pure. */

const longestId = 64;
const ids = ['flagId', 'userId', 'responseId'];
const times = ['raisedAt', 'recordedAt', 'receivedAt'];

export function isUnfit(row: Readonly<Record<string, unknown>>): boolean {
  const isId = (text: unknown) => typeof text === 'string' && text !== '' && text.length <= longestId;
  const isTime = (text: unknown) => typeof text === 'string' && isInstant(text);
  return !ids.every((name) => isId(row[name])) || !times.every((name) => isTime(row[name]));
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
