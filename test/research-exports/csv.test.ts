import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cell, csvLine } from '../../functions/research-exports/rules/csv.ts';

/** Read back by a parser that did not write it. */
const read = (text: string): string[][] => parse(text, { record_delimiter: '\r\n' });

/** What a reader takes away, and no more. */
const bare = (text: string) => (text.startsWith("'") ? text.slice(1) : text);

test.each<[string, Cell[], string]>([
  ['numbers and truth', [1, -2.5, true, null], '1,-2.5,true,\r\n'],
  ['a comma, a quote, a line break', ['a,b', 'a"b', 'a\r\nb'], '"a,b","a""b","a\r\nb"\r\n'],
  ['an empty text is not nothing', ['', null], '"",\r\n'],
  ['formulas', ['=1+1', '+1', '-1', '@a', '\0x', '\tx', '\rx'], "'=1+1,'+1,'-1,'@a,'\0x,'\tx,\"'\rx\"\r\n"],
  ['an apostrophe of its own', ["'x"], "''x\r\n"],
])('%s', (_name, cells, expected) => {
  expect(csvLine(cells)).toBe(expected);
});

test('any text comes back as it was, and none begins as a formula does', () => {
  const piece = fc.constantFrom('=', '+', '-', '@', '\0', '\t', '\r', '\n', '"', ',', "'", ';', '＝', 'a', 'ß', ' ');
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(piece).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (lines) => {
      const width = lines[0]?.length ?? 0;
      const even = lines.map((line) => Array.from({ length: width }, (_, index) => line[index] ?? ''));
      const found = read(even.map((line) => csvLine(line)).join(''));
      expect(found.map((line) => line.map(bare))).toEqual(even);
      expect(found.flat().filter((cell) => /^[=+\-@\0\t\r]/.test(cell))).toEqual([]);
    }),
  );
});
