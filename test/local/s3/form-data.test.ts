import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFormData } from '../../../lib/local/s3/form-data.ts';

const boundary = 'b0undary';
/** Pieces that a careless parser takes for its own. */
const piece = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '--',
    `--${boundary.slice(0, -1)}`,
    '\r\n\r\n',
    `--${boundary}`,
    'Content-Disposition: form-data',
  ),
  fc.string({ unit: 'binary' }),
);
const content = fc
  .array(piece)
  .map((pieces) => pieces.join(''))
  .filter((text) => !`\r\n${text}`.includes(`\r\n--${boundary}`));

test('whatever the file and the fields are, they come out as they went in', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-eg-z-]{1,20}$/), content, { maxKeys: 5 }),
      content,
      (fields, file) => {
        const part = ([name, text]: [string, string]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
        const written = [...Object.entries(fields), ['file', file] as [string, string]].map(part).join('');
        const body = Buffer.from(`${written}--${boundary}--\r\n`);
        const read = readFormData(`multipart/form-data; boundary=${boundary}`, body);
        expect(read.fields).toEqual(fields);
        expect(read.file.equals(Buffer.from(file))).toBe(true);
      },
    ),
  );
});
