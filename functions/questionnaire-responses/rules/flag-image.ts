import type { Image, RowChange } from '../../consent-events/rules.ts';
import type { FlagRowKey } from './flag.ts';

/** The flags in the changes of table `QuestionnaireFlags`. Pure. */

/** Where a flag's answer is, as a row says it. */
export type Hint = { readonly userId: string; readonly responseId: string };

/** Longer ones are no ids; a call with one could be refused for ever, and would hold up a stream. */
const longestId = 64;

/** The flag whose row it is, by its key: a flag's own, one in a list, or one under its user. */
export function flagIdOfRow({ OldImage, NewImage }: RowChange): string | null {
  const { part, name } = OldImage ?? NewImage ?? {};
  return flagIdOfKey({ part: part?.S ?? '', name: name?.S ?? '' });
}

export function flagIdOfKey({ part, name }: FlagRowKey): string | null {
  const id = /^flag#(.+)$/.exec(part)?.[1] ?? name.split('#').at(-1);
  return isId(id) ? id : null;
}

/** The user on whose list of flags that are not cleared it is; null for another row. */
export function userIdOfList({ part }: FlagRowKey): string | null {
  return /^open#(.+)$/s.exec(part)?.[1] ?? null;
}

/** Of the rows that there were after the changes. */
export function keysIn(changes: readonly RowChange[]): FlagRowKey[] {
  const keys = changes.flatMap(({ NewImage: { part, name } = {} }) =>
    part?.S && name?.S ? [{ part: part.S, name: name.S }] : [],
  );
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

/** A row as a stream has it, where it was read otherwise. */
export function imageOf(row: Readonly<Record<string, unknown>>): Image {
  const attributeOf = (value: unknown) => {
    if (value === null) return { NULL: true };
    return typeof value === 'string' ? { S: value } : { N: JSON.stringify(value) };
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, attributeOf(value)]));
}

export function isId(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= longestId && !text.includes('#');
}

/** Of both images, the one before first. */
export function hintsIn({ OldImage, NewImage }: RowChange): Hint[] {
  return [OldImage, NewImage].flatMap((image) => {
    const [userId, responseId] = [image?.userId?.S, image?.responseId?.S];
    return isId(userId) && isId(responseId) ? [{ userId, responseId }] : [];
  });
}

/** What a row says about its flag; null where it says nothing: rows under a user only have a key. */
export function contentOf(image: Image | undefined): Readonly<Record<string, unknown>> | null {
  const part = image?.part?.S ?? '';
  if (!image || part.startsWith('user#') || part.startsWith('open#')) return null;
  const { part: _part, name: _name, ...content } = image;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, value.S ?? ('NULL' in value ? null : value)]),
  );
}
