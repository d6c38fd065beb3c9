/**
 * The PDF that an agreement may have: nothing runs, is sent, or is inside of it. An object in an object stream would be compressed, so
 * that nobody could look at it here. Only a cross-reference stream leads to one, whatever its `/Type`: a file has plain tables.
 * ISO 32000-2, sections 7.3.5, 7.5.4, 7.5.7 and 7.5.8. Pure.
 */

const anything = /^/;

/** What is refused, by what follows it: two letters occur by chance in compressed bytes. An array after `OpenAction` is a page. */
const refused: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    (
      'JavaScript Launch SubmitForm ImportData GoToR GoToE Rendition Movie EmbeddedFile EmbeddedFiles FileAttachment XFA RichMedia ' +
      'OnInstantiate ObjStm XRef XRefStm Encrypt'
    )
      .split(' ')
      .map((name) => [name, anything]),
  ),
  OpenAction: /^(?!\[)/,
  JS: /^(?:[(<]|\d+\s+\d+\s+R)/,
  AA: /^(?:<<|\d+\s+\d+\s+R)/,
  EF: /^(?:<<|\d+\s+\d+\s+R)/,
  AF: /^(?:<<|\[|\d+\s+\d+\s+R)/,
  // A link leads to https, or to a mailbox.
  URI: /^(?:<|\((?!https:\/\/|mailto:)|\d+\s+\d+\s+R)/,
};
/** Of an annotation; alone it would occur by chance, too. */
const threeDimensional = /\/(?:Type|Subtype)[\0\s]*\/3D\b/;
/** Blanks and comments before a value. */
const blanks = /^(?:[\0\s]|%[^\r\n]*[\r\n])*/;

/** A name ends with a delimiter or a blank. */
const names = /\/([^\0\t\n\f\r ()<>[\]{}/%]{1,200})/g;
/** So much is looked at behind a name. */
const lookAhead = 200;

export function isPdf(bytes: Uint8Array): boolean {
  const [first, last] = [bytes.subarray(0, 5), bytes.subarray(-1024)].map(latin1);
  return first === '%PDF-' && /%%EOF[\r\n]*$/.test(last ?? '');
}

/** @returns the first name that is refused, or that the file has no plain table of its objects */
export function pdfRefusal(bytes: Uint8Array): string | null {
  const text = latin1(bytes);
  for (const { 0: whole, 1: name = '', index } of text.matchAll(names)) {
    const read = name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (!Object.hasOwn(refused, read)) continue;
    const end = index + whole.length;
    if (refused[read]?.test(text.slice(end, end + lookAhead).replace(blanks, ''))) return `/${read} at byte ${index}`;
  }
  if (threeDimensional.test(text)) return 'a 3D object';
  return hasPlainTables(text) ? null : 'objects that are compressed together: save it as PDF 1.4 or PDF/A-1';
}

/** Each table that a reader begins with, and each one before it, is a plain one. */
function hasPlainTables(text: string): boolean {
  const begins = [...text.matchAll(/startxref[\0\t\n\f\r ]+(\d+)/g)];
  const earlier = [...text.matchAll(/\/Prev[\0\t\n\f\r ]+(\d+)(?![\d.]|[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R)/g)];
  const isPlain = ([, place = '']: RegExpMatchArray) =>
    /^[\0\t\n\f\r ]*xref[\0\t\n\f\r ]/.test(text.slice(Number(place), Number(place) + 20));
  return begins.length > 0 && [...begins, ...earlier].every(isPlain);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
