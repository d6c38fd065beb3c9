import { expect, test } from 'vitest';
import { writeLine } from '../../lib/runtime/log.ts';

test.each(['\n{"level":"INFO"}', '\r\n', '"', '\\', '\u2028', '\u001b[2K', '\0'])(
  'a value with %j stays in its line',
  (value) => {
    const lines: string[] = [];
    writeLine((line) => void lines.push(line), { level: 'WARN', message: 'sign-in', why: value }, new Date(0));
    const [line = ''] = lines;
    expect(lines).toHaveLength(1);
    expect(line).toMatch(/^[^\p{Cc}]+\n$/u);
    expect(JSON.parse(line)).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'WARN',
      message: 'sign-in',
      why: value,
    });
  },
);
