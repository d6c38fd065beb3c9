import type { MailKind } from './kinds.ts';
import type { MailTexts } from './mail-text.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export type Written = { readonly subject: string; readonly text: string; readonly html: string };

const texts = { en, de } as const satisfies Readonly<Record<string, MailTexts>>;

export type MailLanguage = keyof typeof texts;

/** The first language is for people who read none of them. */
export const mailLanguages = ['en', 'de'] as const satisfies MailLanguage[];

type Values = Readonly<Record<string, string>>;

export function written(kind: MailKind, language: MailLanguage, values: Values): Written {
  const { subject, paragraphs } = texts[language][kind];
  const plain = paragraphs.map((paragraph) => filled(paragraph, values));
  return {
    subject: filled(subject, values),
    text: `${plain.join('\n\n')}\n`,
    html: page(language, subject, paragraphs, values),
  };
}

/** What stands for a value is put in once: a value that looks like a placeholder is none. */
function filled(text: string, values: Values, as: (value: string) => string = (value) => value): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the mail has no ${name}`);
    return as(oneLine(value));
  });
}

/** Neither a line of its own nor a header can be made of a value. */
function oneLine(value: string): string {
  return value.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]+/gu, ' ').slice(0, 200);
}

export function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}

function page(language: string, subject: string, paragraphs: readonly string[], values: Values): string {
  const title = filled(escaped(subject), values, escaped);
  const body = paragraphs.map((paragraph) => {
    const style = paragraph === '{code}' ? ' style="font-size:28px;font-weight:bold;letter-spacing:4px"' : '';
    return `<p${style}>${filled(escaped(paragraph), values, escaped)}</p>`;
  });
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>`,
    '<body style="font-family:sans-serif;line-height:1.5;max-width:560px;margin:24px auto;padding:0 16px;color:#1b1b1f;overflow-wrap:anywhere">',
    `<h1 style="font-size:20px">${title}</h1>`,
    ...body,
    '</body></html>',
    '',
  ].join('\n');
}
