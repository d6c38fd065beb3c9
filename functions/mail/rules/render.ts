import { html } from 'hono/html';
import { kindNamed, type MailKind } from './kinds.ts';
import type { MailTexts } from './mail-text.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export type Written = { readonly subject: string; readonly text: string; readonly html: string };

const texts = { en, de } as const satisfies Readonly<Record<string, MailTexts>>;

export type MailLanguage = keyof typeof texts;

/** The first language is for people who read none of them. */
export const mailLanguages = ['en', 'de'] as const satisfies MailLanguage[];

type Values = Readonly<Record<string, string>>;

/** Who writes, and where a reader can ask. */
export type Sender = { readonly name: string; readonly contact: string };

type Reader = {
  readonly language: MailLanguage;
  /** Null: not known. */
  readonly timeZone: string | null;
};

export function written(kind: MailKind, sender: Sender, { language, timeZone }: Reader, given: Values): Written {
  const times = (kindNamed(kind).times ?? []).flatMap((name) => {
    const time = given[name];
    return time === undefined ? [] : [[name, readable(time, language, timeZone)]];
  });
  const values: Values = { ...given, ...Object.fromEntries(times), sender: sender.name, contact: sender.contact };
  const { ending, kinds } = texts[language];
  const { subject } = kinds[kind];
  const missing = (kindNamed(kind).optional ?? []).filter((name) => given[name] === undefined);
  const said = kinds[kind].paragraphs.filter((text) => !missing.some((name) => text.includes(`{${name}}`)));
  const paragraphs = [...said, ending].map((source) => ({ source, text: filled(source, values) }));
  const title = filled(subject, values);
  return {
    subject: title,
    text: `${paragraphs.map(({ text }) => text).join('\n\n')}\n`,
    html: page(language, title, paragraphs),
  };
}

/** The same on the agent board, without the data of the mail. */
export function boardMessage(kind: MailKind, language: MailLanguage): { title: string; body: string } {
  const { kinds, onBoard } = texts[language];
  return { title: kinds[kind].subject, body: onBoard };
}

const regions = { en: 'en-GB', de: 'de-DE' } as const satisfies Readonly<Record<MailLanguage, string>>;

/** `6. Dezember 2026 um 08:13 MEZ` */
function readable(time: string, language: MailLanguage, timeZone: string | null): string {
  const format = (zone: string) =>
    new Intl.DateTimeFormat(regions[language], {
      ...({ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
      timeZoneName: 'short',
      timeZone: zone,
    }).format(new Date(time));
  try {
    return format(timeZone ?? 'UTC');
  } catch {
    // A zone that this version of Node does not know: the mail is still due.
    return format('UTC');
  }
}

/** What stands for a value is put in once: a value that looks like a placeholder is none. */
function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the mail has no ${name}`);
    // A link is ours, and of no use in part.
    return name === 'link' ? value : oneLine(value);
  });
}

/** Neither a line of its own nor a header can be made of a value. */
function oneLine(value: string): string {
  return value.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]+/gu, ' ').slice(0, 200);
}

type Paragraph = { readonly source: string; readonly text: string };

function page(language: string, title: string, paragraphs: readonly Paragraph[]): string {
  const body = paragraphs.map(({ source, text }) => {
    const style = source === '{code}' && html` style="font-size:28px;font-weight:bold;letter-spacing:4px"`;
    return html`<p${style}>${source === '{link}' ? html`<a href="${text}">${text}</a>` : text}</p>\n`;
  });
  return String(html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="font-family:sans-serif;line-height:1.5;max-width:560px;margin:24px auto;padding:0 16px;color:#1b1b1f;overflow-wrap:anywhere">
<h1 style="font-size:20px">${title}</h1>
${body}</body></html>
`);
}
