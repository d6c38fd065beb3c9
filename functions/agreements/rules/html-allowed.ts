/** The tags and attributes that the HTML of an agreement may have. Pure. */

const tags = new Set(
  (
    'html head title meta style body main article section header footer nav aside div span p br wbr hr h1 h2 h3 h4 h5 h6 ' +
    'ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td a abbr address b blockquote cite code dfn del ' +
    'details em figcaption figure i ins kbd mark pre q s samp small strong sub summary sup time u var'
  ).split(' '),
);

const anything = /^/;
const number = /^\d{1,4}$/;

/** What each may be, on any tag. A browser that knows an attribute only for another tag ignores it. */
const attributes: Readonly<Record<string, RegExp>> = {
  class: anything,
  colspan: number,
  datetime: anything,
  dir: /^(?:ltr|rtl|auto)$/i,
  headers: anything,
  id: anything,
  lang: anything,
  open: /^$/,
  reversed: /^$/,
  role: anything,
  rowspan: number,
  scope: /^(?:row|col|rowgroup|colgroup)$/i,
  span: number,
  start: number,
  title: anything,
  value: number,
};

/** Of one tag only. No entity can change where a link leads: nothing before its path can be one. */
const ofTag: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: {
    href: /^(?:https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#][^\s\\]*)?|mailto:[\w.+-]+@[a-z0-9.-]+(?:\?subject=[\w%.-]*)?|tel:\+?[\d-]+|#[^\s\\]*)$/i,
    rel: anything,
    target: /^_blank$/i,
  },
  meta: {
    charset: /^utf-8$/i,
    name: /^(?:author|description|generator|keywords|viewport)$/i,
    content: anything,
  },
  ol: { type: /^[1aAiI]$/ },
  style: { type: /^text\/css$/i },
};

export function isTag(name: string): boolean {
  return tags.has(name);
}

export function isAttribute(tag: string, name: string, value: string): boolean {
  if (name === 'style') return !value.includes('&') && isStyle(value);
  if (/^aria-[a-z]+$/.test(name)) return true;
  const known = { ...attributes, ...ofTag[tag] };
  return Object.hasOwn(known, name) && (known[name]?.test(value) ?? false);
}

const longestName = 100;
const noName = /[^\w\-\u0080-\uffff]/;
const functions = /^(?:rgba?|hsla?|calc|min|max|clamp|var|repeat|minmax|not|nth-child|nth-of-type)?$/i;

/** Rules and declarations that load nothing: only functions of colours and sizes, no escapes, and of rules with `@` two. */
export function isStyle(css: string): boolean {
  // A comment may stand within what this looks for, and an escape for any letter of it.
  if (/\\|\/\*|<|@(?!(?:media|page)\b)/i.test(css)) return false;
  const called = css.split('(').slice(0, -1);
  return called.every((before) => functions.test(before.slice(-longestName).split(noName).at(-1) ?? ''));
}
