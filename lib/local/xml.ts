/** What is in an element. A list repeats its element; what is undefined is left out. */
export type Xml = string | readonly Xml[] | { readonly [element: string]: Xml | undefined };

/** A document of one root element, which has the namespace. */
export function written(root: { readonly [name: string]: Xml }, namespace?: string): string {
  const [[name, content] = ['', '']] = Object.entries(root);
  return `<${name}${namespace ? ` xmlns="${namespace}"` : ''}>${inner(content)}</${name}>`;
}

function inner(value: Xml): string {
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return value.map(inner).join('');
  return Object.entries(value)
    .flatMap(([name, content]) => {
      const each: readonly Xml[] = content === undefined ? [] : [content].flat();
      return each.map((one) => `<${name}>${inner(one)}</${name}>`);
    })
    .join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Text for an element of XML. A character that XML 1.0 does not allow becomes the replacement character. */
function escaped(text: string): string {
  return (
    text
      .replace(/[&<>\r]/g, (character) => entities[character] ?? '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}
