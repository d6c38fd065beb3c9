import { html } from 'hono/html';
import type { SignedRecord } from '../routes.ts';
import { type Labels, labels, type PageLocale } from './evidence-labels.ts';
import { lines } from './html.ts';

/** What both pages on consents show of a record. Whoever changed one may have put anything in place of its values: each is made text. */

/** The version's text in the record's language; null if the catalogue no longer has the version or the language. */
export type RecordText = { readonly title: string; readonly contentUrl: string } | null;

export type Row = readonly [term: string, shown: unknown];

export type Words = { readonly labels: Labels; readonly when: (time: string) => string };

/** @param timeZone IANA's name */
export function wordsIn(locale: PageLocale, timeZone: string): Words {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone });
  const when = (at: string) => (Number.isNaN(Date.parse(at)) ? String(at) : format.format(new Date(at)));
  return { labels: labels[locale], when };
}

export function badge({ action }: SignedRecord, { labels: l }: Words) {
  return html`<span class="badge ${String(action)}">${action === 'agreed' ? l.agreed : l.revoked}</span>`;
}

export function time({ recordedAt }: SignedRecord, { when }: Words) {
  return html`<time datetime="${String(recordedAt)}">${when(recordedAt)}</time>`;
}

export function recordRows(record: SignedRecord, text: RecordText, l: Labels): Row[] {
  const version = `${l.version} ${record.versionId}`;
  return [
    [l.text, text ? `${text.title}, ${version}` : version],
    [l.language, `${record.locale} (${record.localeSource === 'stated' ? l.chosen : l.negotiated})`],
    [l.app, String(record.appVersion ?? l.unknown)],
    [l.source, record.source === 'imported' ? l.imported : l.user],
    ...(text ? [[l.address, String(text.contentUrl)] as const] : []),
    [l.fingerprint, code(record.contentHash)],
    [l.recordFingerprint, code(record.hash)],
  ];
}

export function code(value: unknown) {
  return html`<code>${String(value)}</code>`;
}

export function listed(rows: readonly Row[], className?: string) {
  const items = rows.map(([term, shown]) => html`<dt>${term}</dt><dd>${shown}</dd>`);
  return html`<dl${className && html` class="${className}"`}>${lines(items)}</dl>`;
}
