import { describe, expect, test } from 'vitest';
import { textFault } from '../../functions/agreements/rules/text-check.ts';

/** What an agreement's text may be, by its type. */

const html = (text: string) => textFault(Buffer.from(text), 'text/html; charset=utf-8');
const markdown = (text: string) => textFault(Buffer.from(text), 'text/markdown; charset=utf-8');
/** A PDF with a table of its objects, as short as can be. */
function pdf(
  inside: string,
  [begin, end]: readonly string[] = ['%PDF-1.4\n', '\n%%EOF\n'],
  table = '\nxref\n0 1\n0000000000 65535 f \n',
) {
  const place = Buffer.byteLength(`${begin}${inside}`, 'latin1');
  const whole = `${begin}${inside}${table}trailer <</Size 1>>\nstartxref\n${place}${end}`;
  return textFault(Buffer.from(whole, 'latin1'), 'application/pdf');
}

describe('HTML that is taken', () => {
  test.each([
    ['a text without a tag', 'the text & more > nothing'],
    [
      'a page',
      '\ufeff<!DOCTYPE html>\r\n<html lang="de"><head><meta charset="utf-8"><title>A</title></head><body></body>',
    ],
    [
      'structure',
      `<h1 id='a'>A</h1><ol start="2" type="a"><li>one<br/>two</li></ol><details open><summary>s</summary>`,
    ],
    ['a table', '<table class="x"><tr><th scope="row" colspan="2">&lt;b&gt;</th></tr></table>'],
    [
      'links',
      '<a href="https://a.example:8443/b?x=1&amp;y=2#c">a</a><a href="#part">b</a><a href="mailto:a@b.example">c</a>',
    ],
    [
      'what editors write',
      '<a href="#Übersicht" rel="x" target="_blank" aria-label="y">a</a><a href="mailto:a@b.example?subject=x">b</a>',
    ],
    ['rules of editors', '<style type="text/css">p:not(.a) { width: var(--b) } i:nth-child(2n) { margin: 0 }</style>'],
    ['references that are seen', '&auml;&#228;&#xE4;&nbsp;&shy;'],
    ['a plain style', '<style>@media (max-width: 9em) { p > a { color: rgb(1, 2, 3) } }</style ><p style="margin: 0">'],
  ])('%s', (_case, text) => {
    expect(html(text)).toBeNull();
  });

  test('a long text is looked at at once', () => {
    const most = 1024 * 1024;
    for (const each of ['a', '<p>', '<p title="a">', '&', '\n'])
      expect(html(each.repeat(most / each.length))).toBeNull();
    for (const each of ['a', 'a ', ' '])
      expect(html(`<style>${each.repeat(most / each.length)}(`)).toMatchObject({ problem: 'active' });
    for (const each of ['<', '<a ', ' a', ' ', '"'])
      expect(html(`<a ${each.repeat(most / each.length)}`)).toMatchObject({ problem: 'active' });
  });
});

describe('HTML that is refused', () => {
  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a reference that turns text', 'a &#x202E; b'],
    ['one without an end', 'a &#8203 b'],
    ['one by its name', 'a &lrm; b'],
    ['one of no character', 'a &#x7fffffff; b'],
    ['a script in capitals', '<SCRIPT src="https://a.example">'],
    ['a script without an end', 'x <script'],
    ['a handler', '<p onclick="alert(1)">'],
    ['a handler without quotes', '<p onclick=alert(1)>'],
    ['a handler after a slash', '<p/onclick="alert(1)">'],
    ['a form', '<form action="https://a.example">'],
    ['a button that submits', '<button formaction="https://a.example">'],
    ['an input', '<input name="x">'],
    ['a frame', '<iframe src="https://a.example">'],
    ['an object', '<object data="x">'],
    ['an embedded one', '<embed src="x">'],
    ['SVG', '<svg onload="alert(1)">'],
    ['MathML', '<math>'],
    ['a base', '<base href="https://a.example">'],
    ['a link to a style', '<link rel="stylesheet" href="https://a.example">'],
    ['a picture', '<img src="https://a.example/a.png">'],
    ['a page that leads elsewhere', '<meta http-equiv="refresh" content="0; url=https://a.example">'],
    ['another encoding', '<meta charset="utf-7">'],
    ['a template', '<template>'],
    ['what is shown without scripts', '<noscript>'],
    ['javascript', '<a href="javascript:alert(1)">'],
    ['javascript by an entity', '<a href="java&#115;cript:alert(1)">'],
    ['javascript after a blank', '<a href=" javascript:alert(1)">'],
    ['data', '<a href="data:text/html,x">'],
    ['http', '<a href="http://a.example">'],
    ['another host, by what a browser drops', '<a href="https://bank.example\t@evil.example">'],
    ['a user name before the host', '<a href="https://bank.example@evil.example/">'],
    ['a user name by an entity', '<a href="https://bank.example&#64;evil.example/">'],
    ['a turned slash', '<a href="https:\\\\evil.example">'],
    ['a second, other link of one tag', '<a href="#a" href="javascript:alert(1)">'],
    ['an address in a style', '<p style="background: url(https://a.example)">'],
    ['an address in a style, by an entity', '<p style="background: ur&#108;(https://a.example)">'],
    ['an address in a style, by an escape', '<style>p { background: ur\\6c (https://a.example) }</style>'],
    ['an address in a sheet', '<style>p { background: URL(https://a.example) }</style>'],
    ['a set of pictures', '<style>p { background: image-set("https://a.example" 1x) }</style>'],
    ['an import', '<style>@import "https://a.example";</style>'],
    ['a font', '<style>@font-face { font-family: x }</style>'],
    ['an expression of old browsers', '<p style="width: expression(alert(1))">'],
    ['a style without an end', '<style>p { color: red }'],
    ['a tag in a style', '<style><b></b></style>'],
    ['a comment', '<!-- x -->'],
    ['a condition of old browsers', '<!--[if IE]><script>alert(1)</script><![endif]-->'],
    ['an instruction', '<?xml version="1.0"?>'],
    ['CDATA', '<![CDATA[x]]>'],
    ['another doctype', '<!DOCTYPE html SYSTEM "https://a.example">'],
    ['a tag within a value, which ends a title', '<title><b title="</title><script>alert(1)</script>"></title>'],
    ['a quote without an end', '<p title="a>b'],
    ['a blank that is none in HTML', '<p\u00a0class="x">'],
    ['what every object has', '<p constructor="x">'],
    ['a tag of another name', '<x-y>'],
  ])('%s', (_case, text) => {
    expect(html(text)).toMatchObject({ problem: 'active' });
  });

  test('what is wrong, with its line', () => {
    expect(html('<p>\r\n<SCRIPT>\n')?.message).toBe(
      'line 2 has <script>, which is none of the tags that an agreement may have',
    );
    expect(html('<p>\n\n<a onclick="x">')?.message).toMatch(/^line 3 has <a onclick>/);
  });
});

describe('Markdown', () => {
  test('is taken with what a course may not have: bare addresses, the word data before a colon', () => {
    const text =
      '# Privacy\r\n\r\nYour data: see https://a.example/x, www.a.example, write to dpo@a.example \\* &amp; 1.2.3.4\n';
    expect(markdown(text)).toBeNull();
    expect(markdown(`\ufeff${text}`)).toBeNull();
  });

  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a reference that turns text', 'a &#x202E; b'],
    ['one by its name', 'a &lrm; b'],
    ['javascript', '[x](javascript:alert(1))'],
    ['javascript by an entity', '[x](java&#115;cript:alert(1))'],
    ['data', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
    ['http', 'see http://a.example'],
    ['a picture', '![x](https://a.example/p.png)'],
    ['a named target', '[x]: javascript:alert(1)'],
    ['nothing', ' \n'],
  ])('is refused with %s', (_case, text) => {
    expect(markdown(text)).toMatchObject({ problem: 'active' });
  });
});

describe('any text', () => {
  test.each(['text/plain', 'text/markdown', 'text/html'])('%s is UTF-8 without what hides', (type) => {
    const fault = (text: string | Uint8Array) => textFault(Buffer.from(text), type);
    expect(fault('Schön, \tja 👩‍⚕️\r\n')).toBeNull();
    expect(fault(Buffer.from('one\nSchön', 'latin1'))).toEqual({ problem: 'wrongType', message: 'line 2 is no UTF-8' });
    for (const text of ['a\0b', 'a\u001bb', 'a\rb', 'a\u202eb', 'a\u200bb', 'a\ufeffb', 'a\u061cb', 'a\u{e0041}b'])
      expect(fault(`one\n\n${text}`), JSON.stringify(text)).toMatchObject({
        problem: 'wrongType',
        message: expect.stringMatching(/^line 3 /),
      });
  });

  test.each(['', 'text/javascript', 'image/svg+xml', 'valueOf', 'text/htmlx'])('of the type %j is refused', (type) => {
    expect(textFault(Buffer.from('x'), type)).toMatchObject({ problem: 'wrongType' });
  });
});

describe('PDF', () => {
  test.each([
    ['names that only begin alike', '1 0 obj\n<< /Type /Catalog /JSX /Action#41 >>\nendobj'],
    ['a page to begin with', '<</OpenAction [1 0 R /XYZ null null 0]>>'],
    ['links', '<</S /URI /URI (https://a.example)>> <</S/URI/URI(mailto:a@b.example)>>'],
    ['outlines', '<</Prev 12 0 R>>'],
    ['two letters by chance', 'stream\n\u0001/JS>\u0002/AA /EF)/AF%x endstream'],
  ])('is taken with %s', (_case, text) => {
    expect(pdf(text)).toBeNull();
    expect(pdf(text, ['%PDF-2.0', '\n%%EOF\r\n'])).toBeNull();
  });

  test.each([
    ['something else', ['GIF89a', '\n%%EOF']],
    ['something before it', [' %PDF-1.4', '\n%%EOF']],
    ['something after it', ['%PDF-1.4', '\n%%EOF<script>']],
    ['only a part', ['%PDF-1.4', '\n']],
  ])('is none: %s', (_case, ends) => {
    expect(pdf('x', ends)).toMatchObject({ problem: 'wrongType' });
  });

  test.each([
    ['JavaScript', '(x)'],
    ['JS', '(x)'],
    ['JS', ' 7 0 R'],
    ['JS', '%\n<78>'],
    ['OpenAction', ' 1 0 R'],
    ['OpenAction', '<</S/Named>>'],
    ['AA', '<<'],
    ['AA', '\n7 0 R'],
    ['EF', '<<'],
    ['AF', ' [7 0 R]'],
    ['FileAttachment', ''],
    ['Launch', ''],
    ['EmbeddedFile', ''],
    ['OnInstantiate', ' 7 0 R'],
    ['URI', '(http://a.example)'],
    ['URI', '(javascript:x)'],
    ['URI', '<68>'],
    ['URI', ' 7 0 R'],
    ['XFA', ''],
    ['RichMedia', ''],
    ['ObjStm', ''],
    ['XRef', ''],
    ['XRefStm', ' 9'],
    ['Encrypt', ''],
  ])('is refused with /%s%s, also escaped', (name, value) => {
    const escaped = `/${name.slice(0, 1)}#${Buffer.from(name.slice(1, 2)).toString('hex')}${name.slice(2)}`;
    for (const text of [`<</${name}${value}>>`, `<<${escaped}${value}>>`])
      expect(pdf(text), text).toEqual({ problem: 'active', message: `has /${name} at byte 11` });
  });

  test('is refused with a 3D object', () => {
    expect(pdf('<</Subtype /3D>>')).toMatchObject({ problem: 'active' });
  });

  // Without its type, nothing else tells an object stream: only such a table leads to what is in it.
  test.each([
    ['a table that is a stream', '', '\n1 0 obj\n<</W [1 2 1]>>stream\n'],
    ['an earlier table that is one', '<</Prev 3>>', undefined],
  ])('is refused with %s', (_case, inside, table) => {
    expect(pdf(inside, undefined, table)).toMatchObject({
      problem: 'active',
      message: expect.stringContaining('PDF 1.4'),
    });
  });
});
