import { htmlFault } from './html.ts';
import { hidden, markdownFaults } from './markdown.ts';
import { isPdf, pdfRefusal } from './pdf.ts';
import { utf8Of } from './utf8.ts';

/** Whether a text is what its type says, and does nothing but be read (docs/conventions.md, Files). Pure. */

export type TextFault = { readonly problem: 'wrongType' | 'active'; readonly message: string };

/** What may be in a text, by its type without parameters. */
const checks: Readonly<Record<string, (text: string) => { line: number; message: string } | null>> = {
  'text/plain': () => null,
  'text/markdown': (text) => markdownFaults(text, 'addresses')[0] ?? null,
  'text/html': htmlFault,
};

/** @returns what is wrong first, or null */
export function textFault(bytes: Uint8Array, contentType: string): TextFault | null {
  const type = contentType.split(';')[0]?.trim() ?? '';
  if (type === 'application/pdf') return pdfFault(bytes);
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined;
  if (!check) return { problem: 'wrongType', message: 'is of no type that an agreement may have' };
  const read = utf8Of(bytes);
  if (read.text === null) return { problem: 'wrongType', message: `line ${read.line} is no UTF-8` };
  const text = read.text.replace(/^\ufeff/, '');
  const place = text.search(hidden);
  if (place >= 0) {
    const line = text.slice(0, place).split('\n').length;
    return { problem: 'wrongType', message: `line ${line} has a control character, or one that hides or turns text` };
  }
  const fault = check(text);
  return fault && { problem: 'active', message: `line ${fault.line} has ${fault.message}` };
}

function pdfFault(bytes: Uint8Array): TextFault | null {
  if (!isPdf(bytes)) return { problem: 'wrongType', message: 'does not begin with %PDF- and end with %%EOF' };
  const refusal = pdfRefusal(bytes);
  return refusal === null ? null : { problem: 'active', message: `has ${refusal}` };
}
