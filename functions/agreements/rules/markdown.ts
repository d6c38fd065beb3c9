/**
 * The Markdown that an agreement or a course may have: CommonMark without HTML, pictures and named link targets, whose links are
 * written `[text](https://…)`. It refuses more than a parser would have to, so that no app's parser finds what this did not. Pure.
 */

export type MarkdownFault = { readonly line: number; readonly message: string };

/** What no reading of Markdown takes for anything but an address: no blanks, brackets or escapes, and no entity in the host. */
const httpsTarget = /^\(https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:[/?#][A-Za-z0-9\-._~:/?#@!$&*+,;=%]*)?\)/;

const refused: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  { pattern: /<[A-Za-z/!?]/, message: 'HTML, or a link in angle brackets: write [text](https://…)' },
  { pattern: /!\[/, message: 'a picture: give the unit media' },
  { pattern: /\]:/, message: 'a named link target: write [text](https://…)' },
  { pattern: /\][ \t]*\[/, message: 'a link by name: write [text](https://…)' },
  {
    pattern: /\b(?:(?:http|ftp|javascript|vbscript|mailto):|file:\/|data:\w+\/)/i,
    message: 'an address that is not https',
  },
];

/** Apps make links of these themselves, and nobody compared where they lead to. Outside of the targets of links. */
const linkified: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  { pattern: /:\/\/|\bwww\./i, message: 'a bare address: write [text](https://…)' },
  { pattern: /\S@\S/, message: 'a bare e-mail address' },
  {
    pattern: /[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}{2,}|\d+(?:\.\d+){3}/u,
    message: 'what apps take for an address, with a dot within a word: write [text](https://…)',
  },
];

/** Apps read these in links, and they can hide what `hidden` looks for. */
const escaped = {
  pattern: /\\[!-/:-@[-`{-~]|&(?:#\w+|\w+);/,
  message: 'an escape or an entity: write the character itself',
};
/** An agreement's text may escape what Markdown would read. */
const entity = {
  pattern: /&(?!(?:amp|lt|gt|quot|nbsp);)(?:#\w+|\w+);/,
  message: 'an entity: write the character itself',
};

/** Controls, and what hides text or turns its direction. */
export const hidden =
  /(?!\t|\n|\r\n)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** @param mayName an agreement names its publisher's mail address; a course names none, so that nobody is led astray */
export function markdownFaults(text: string, mayName: 'addresses' | 'no addresses' = 'no addresses'): MarkdownFault[] {
  const named = mayName === 'addresses' ? [entity] : [...linkified, escaped];
  const faults = text.split(/\r?\n/).flatMap((line, index) => {
    const found = refused.filter(({ pattern }) => pattern.test(line)).map(({ message }) => message);
    if (hidden.test(line)) found.push('a control character, or one that hides or turns text');
    const [first = '', ...targets] = line.split(/\](?=\()/);
    const isFine = targets.every((target) => httpsTarget.test(target));
    if (!isFine) found.push('a link to something else than https://…');
    const plain = [first, ...targets.map((target) => target.replace(httpsTarget, ' '))].join(' ');
    found.push(...named.filter(({ pattern }) => pattern.test(plain)).map(({ message }) => message));
    return [...new Set(found)].map((message) => ({ line: index + 1, message }));
  });
  if (text.trim() === '') return [{ line: 1, message: 'nothing' }];
  return text.isWellFormed() ? faults : [...faults, { line: 1, message: 'half of a surrogate pair' }];
}
