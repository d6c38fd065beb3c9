import { isAttribute, isStyle, isTag } from './html-allowed.ts';
import { hidden } from './markdown.ts';

/**
 * The HTML that an agreement may have: text, its structure, links and plain styles. It refuses and never rewrites, because the hash
 * of the file is evidence. Each `<` must begin a whole tag of the list, whose quoted values have no `<` and no `>`: so whether a
 * browser takes a place for text or for a tag, it finds nothing that was not looked at. Pure.
 */

export type HtmlFault = { readonly line: number; readonly message: string };

const longestTag = 2000;

const doctype = /^\s*<!doctype html[ \t\r\n]*>/i;
const endTag = /^<\/([a-z][a-z0-9]*)[ \t\r\n]*>$/i;
const startTag =
  /^<([a-z][a-z0-9]*)((?:[ \t\r\n]+[a-z-]+(?:[ \t\r\n]*=[ \t\r\n]*(?:"[^"<>]*"|'[^'<>]*'))?)*)[ \t\r\n]*\/?>$/i;
const attribute = /([a-z-]+)(?:[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)'))?/gi;

/** A browser reads these also without the semicolon. https://html.spec.whatwg.org/#character-reference-state */
const reference =
  /&(?:#(\d+)|#x([0-9a-f]+)|lrm|rlm|ZeroWidthSpace|Negative\w+Space|NoBreak|ApplyFunction|af;|InvisibleTimes|it;|InvisibleComma|ic;)/gi;

/** What `hidden` looks for in a text, written as a reference. */
function hiddenReference(text: string): HtmlFault | null {
  for (const { 0: whole, 1: decimal, 2: hexadecimal, index } of text.matchAll(reference)) {
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? 'x', 16) : Number(decimal);
    const isSeen = code <= 0x10ffff && !hidden.test(String.fromCodePoint(code));
    const line = () => text.slice(0, index).split('\n').length;
    if (!isSeen) return { line: line(), message: `${whole.slice(0, 20)}, a character that hides or turns text` };
  }
  return null;
}

/** @returns the first fault */
export function htmlFault(text: string): HtmlFault | null {
  const unseen = hiddenReference(text);
  if (unseen) return unseen;
  const begin = doctype.exec(text)?.[0].length ?? 0;
  for (let from = text.indexOf('<', begin); from >= 0; ) {
    const end = text.indexOf('>', from) + 1;
    const message = tagFault(end > 0 && end - from <= longestTag ? text.slice(from, end) : '<');
    const next = text.indexOf('<', end);
    const line = () => text.slice(0, from).split('\n').length;
    if (message !== null) return { line: line(), message };
    if (/^<style\b/i.test(text.slice(from, end)) && !isWholeStyle(text, end, next))
      return { line: line(), message: 'a style that is not plain: no addresses, imports, escapes and comments' };
    from = next;
  }
  return null;
}

function tagFault(tag: string): string | null {
  const closed = endTag.exec(tag)?.[1];
  const [, opened, all = ''] = startTag.exec(tag) ?? [];
  const name = (closed ?? opened)?.toLowerCase();
  if (name === undefined)
    return 'a < that begins no plain tag: write &lt;, quote all values, and leave out comments and longer tags';
  if (!isTag(name)) return `<${name.slice(0, 20)}>, which is none of the tags that an agreement may have`;
  for (const [, given = '', double, single] of all.matchAll(attribute)) {
    const what = given.toLowerCase();
    if (!isAttribute(name, what, double ?? single ?? ''))
      return `<${name} ${what.slice(0, 20)}>, which an agreement may not have, or not with this value`;
  }
  return null;
}

/** Up to its end tag a style is no HTML. */
function isWholeStyle(text: string, begin: number, end: number): boolean {
  return end >= 0 && /^<\/style[ \t\r\n]*>/i.test(text.slice(end, end + 100)) && isStyle(text.slice(begin, end));
}
