import { domainToUnicode } from 'node:url';
import { folded, isBreached } from './breached.ts';
import { isPattern } from './pattern.ts';
import { productWords } from './product-words.ts';

/** Which passwords nobody may choose (decision 55). The one rule for every place where a password is set. Pure. */

/** What is known of whose password it is. */
export type Owner = {
  readonly email: string | null;
  readonly name: string | null;
};

export type Weakness = 'pattern' | 'own-data' | 'product-word' | 'breached';

/** @returns why nobody may choose it; null for a password that somebody may */
export function weaknessOf(password: string, owner: Owner): Weakness | null {
  const text = folded(password);
  if (isPattern(text)) return 'pattern';
  const own = wordsOf(owner);
  if (isMadeOf(text, own)) return 'own-data';
  if (isMadeOf(text, [...own, ...productWords])) return 'product-word';
  return isBreached(password) ? 'breached' : null;
}

/** Shorter ones are in many other words. */
const shortestWord = 3;

/** The whole address, and the words of the address and of the name. The last part of a domain (`com`) is nobody's own. */
function wordsOf({ email, name }: Owner): string[] {
  const [local = '', domain = ''] = folded(email ?? '').split('@');
  // Stored as `xn--mller-kva.example`, known to its owner as `müller.example`.
  const domains = [domain, folded(domainToUnicode(domain))].map((text) =>
    text.slice(0, Math.max(0, text.lastIndexOf('.'))),
  );
  const words = [local, ...domains, folded(name ?? '')].flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [`${local}${domain}`, ...words];
}

/** Of what is no word so much has to be left as is the least for a password anywhere (ASVS 6.2.1). */
const leastRest = 8;

/** True where the words are in the text and, without them, less than a password is left. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  return spellings(text).some((spelt) => {
    const each = words.map(lettersOf).filter(({ length }) => length >= shortestWord);
    const longestFirst = each.toSorted((one, other) => other.length - one.length);
    const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), spelt);
    return rest.length < spelt.length && rest.length < leastRest;
  });
}

const digitsAsLetters: Readonly<Record<string, string>> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' };

/** As it is, and with digits read as the letters that they look like: `sl33pc4re`, and a `1` as an `l` or an `i`. */
function spellings(text: string): string[] {
  const read = text.replace(/[03457@$]/g, (sign) => digitsAsLetters[sign] ?? sign);
  return [text, read.replaceAll('1', 'l'), read.replaceAll('1', 'i')].map(lettersOf);
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}
