import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownFaults } from '../../functions/agreements/rules/markdown.ts';
import { lineOf, linesOf, pathOf, syntaxFaultIn } from '../../functions/learning/jobs/json-lines.ts';

describe('Markdown that is taken', () => {
  test.each([
    ['headings, lists, quotes, emphasis', '# A\n\n- *one*\n1. **two**\n\n> three `code`\n'],
    ['a link', 'See [the guideline](https://onlinelibrary.wiley.com/doi/10.1111/jsr.14035?x=1&y=2#part).'],
    ['a link with a port', '[x](https://a.example:8443/b)'],
    ['what is less than something', 'fewer than 5 < 6 hours, and a <3'],
    ['brackets without a link', 'naps [short ones] are fine (see below)'],
    ['abbreviations, numbers and ellipses', 'z.B. 7.5 h, d.h. 22.30 Uhr, e.g. 1.000 … and so on.\nNext'],
    ['umlauts, quotes and emoji', '„Schön“ – so 👩‍⚕️ geht’s\twohl'],
  ])('%s', (_case, text) => {
    expect(markdownFaults(text)).toEqual([]);
  });
});

describe('Markdown that is refused', () => {
  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['an element with a handler', 'a <img src=x onerror=alert(1)> b'],
    ['a closing tag', 'a </b>'],
    ['a comment', '<!-- x -->'],
    ['a declaration and an instruction', '<!DOCTYPE html><?php ?>'],
    ['an autolink', '<https://a.example>'],
    ['javascript', '[x](javascript:alert(1))'],
    ['javascript by an entity', '[x](java&#115;cript:alert(1))'],
    ['javascript after a line break', '[x](\njavascript:alert(1))'],
    ['javascript with a tab', '[x](java\tscript:alert(1))'],
    ['data', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
    ['http', '[x](http://a.example)'],
    ['an address without a scheme', '[x](//a.example)'],
    ['a relative address', '[x](/v1/users)'],
    ['a target in angle brackets', '[x](<https://a.example>)'],
    ['a title', '[x](https://a.example "t")'],
    ['a user name before the host', '[x](https://bank.example@evil.example/)'],
    ['a host that is turned', '[x](https://a.example\u202e/)'],
    ['a named target', '[x]: https://a.example'],
    ['a link by name', '[x][y]'],
    ['a picture', '![x](https://a.example/p.png)'],
    ['an address that GitHub links', 'see www.a.example'],
    ['a bare address of http', 'see http://a.example'],
    ['a control character', 'a\u0007b'],
    ['hidden characters', 'a\u200bb'],
    ['a bare address, whose host is after an at sign', 'see https://bank.example@evil.example/'],
    ['a bare address', 'see https://a.example'],
    ['an e-mail address', 'write to praxis@evil.example'],
    ['a host that apps link', 'see evil.com/x, or evil.example'],
    ['a host in letters that look alike', 'see еvil.рф'],
    ['a host by number', 'see 192.0.2.1/x'],
    ['a host that is not where its link leads', '[bank.example](https://evil.example)'],
    ['a host with a dot that is hidden', 'see evil\\.com, or evil&#46;com'],
    ['an address beside a link', '[x](https://a.example) evil.example'],
    ['half of a pair', 'a\ud800b'],
    ['nothing', ' \n'],
  ])('%s', (_case, text) => {
    expect(markdownFaults(text)).not.toEqual([]);
  });

  test('each with its line, also after CR LF', () => {
    const faults = markdownFaults('fine\r\n<b>bold</b>\r\n\r\n[x](ftp://a)\r\n');
    expect([...new Set(faults.map(({ line }) => line))]).toEqual([2, 4]);
  });
});

test('where each value of a JSON text begins', () => {
  const text = '{\n "a": [\n  1,\n  {"b": "x\\"}{[,",\n   "c": null}\n ],\n "d\\n": {}\n}';
  const lines = linesOf(text);
  expect(Object.fromEntries(lines)).toEqual({
    '': 1,
    a: 2,
    'a[0]': 3,
    'a[1]': 4,
    'a[1].b': 4,
    'a[1].c': 5,
    'd\n': 7,
  });
  expect([lineOf(lines, 'a[1].missing'), lineOf(lines, 'a[7].b'), lineOf(lines, 'none')]).toEqual([4, 2, 1]);
});

test('the path of a value has its line whatever its keys are, and each search comes to an end', () => {
  const lines = linesOf('{\n "pt-BR": 1,\n "a b": [\n 1],\n "c]": 2}');
  const paths = [['pt-BR'], ['a b', 0, 'x'], ['c]', 'd['], ['[']].map(pathOf);
  expect(paths).toEqual(['pt-BR', 'a b[0].x', 'c].d[', '[']);
  expect(paths.map((path) => lineOf(lines, path))).toEqual([2, 4, 5, 1]);
  expect(lineOf(lines, '["pt-BR"].a["b c"]')).toBe(1);
});

test('where a text stops being JSON: nowhere exactly where JSON.parse takes it', () => {
  const parts = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b',
    '1',
    '-',
    '0',
    'e',
    '.5',
    'true',
    'null',
    ' ',
    '\n',
    '\\u00e4',
  ];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((all) => all.join(''));
  const property = fc.property(fc.oneof(texts, fc.json()), (text) => {
    const at = syntaxFaultIn(text);
    if (at === null) expect(() => JSON.parse(text)).not.toThrow();
    else expect(() => JSON.parse(text)).toThrow();
  });
  fc.assert(property, { numRuns: 2000 });
});
