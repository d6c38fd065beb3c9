import type { SignedRecord } from '../routes.ts';
import { type Labels, labels, type PageLocale } from './evidence-labels.ts';
import { style } from './evidence-style.ts';
import { escaped } from './html.ts';

/** A person's evidence as a page to hand over. It is complete, without scripts and without references to other files. */

export type Entry = {
  record: SignedRecord;
  /** The version's text in the record's language; null if the catalogue no longer has the version or the language. */
  text: { title: string; contentUrl: string } | null;
  /** A compact JWS; null if the record differs from the signed or the recorded one. */
  receipt: string | null;
};

export type AgreementEvidence = {
  agreementId: string;
  /** Null if the catalogue no longer has the agreement. */
  application: string | null;
  title: string;
  isRequired: boolean;
  /** The findings about the chain, one sentence each. */
  problems: string[];
  /** Oldest first; at least one. */
  entries: Entry[];
};

export type Evidence = {
  userId: string;
  environment: string;
  exportedAt: string;
  agreements: AgreementEvidence[];
  keys: { kid: string }[];
};

type Words = { labels: Labels; when: (time: string) => string; timeZone: string };

/** @param timeZone IANA's name */
export function evidencePage(evidence: Evidence, locale: PageLocale, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone });
  // An attacker who changed a record may have written anything as its time.
  const when = (at: string) => (Number.isNaN(Date.parse(at)) ? at : format.format(new Date(at)));
  const words = { labels: labels[locale], when, timeZone };
  const { title } = words.labels;
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${headOf(evidence, words)}
${nowOf(evidence, words)}
${historyOf(evidence, words)}
${checkOf(evidence, words)}
</main>
</body>
</html>
`;
}

function headOf({ userId, environment, exportedAt, agreements }: Evidence, { labels: l, when, timeZone }: Words) {
  const services = [...new Set(agreements.flatMap(({ application }) => application ?? []))].join(', ');
  const decisions = agreements.reduce((sum, { entries }) => sum + entries.length, 0);
  return `<header>
<h1>${escaped(l.title)}</h1>
<p>${escaped(l.intro)}</p>
${listed('facts', [
  [l.person, `<code>${escaped(userId)}</code><br><span class="soft">${escaped(l.personHint)}</span>`],
  [l.service, escaped(`${services || '–'} (${environment})`)],
  [l.made, `${escaped(when(exportedAt))}<br><span class="soft">${escaped(`${l.times} ${timeZone}`)}</span>`],
  [l.decisions, String(decisions)],
])}
</header>`;
}

function nowOf({ agreements }: Evidence, { labels: l, when }: Words): string {
  const cards = agreements.map(({ title, isRequired, entries }) => {
    const last = entries.at(-1)?.record;
    if (!last) return '';
    return `<div class="card now"><div><h3>${escaped(title)}</h3><span class="soft">${escaped(isRequired ? l.required : l.optional)}</span></div>
<div>${badge(last, l)} <span class="soft">${escaped(l.since)} ${time(last.recordedAt, when)}</span></div></div>`;
  });
  const body = cards.length > 0 ? cards.join('\n') : `<p>${escaped(l.empty)}</p>`;
  return `<section>\n<h2>${escaped(l.now)}</h2>\n${body}\n</section>`;
}

function historyOf({ agreements }: Evidence, words: Words): string {
  let line = 0;
  const sections = agreements.map(({ title, agreementId, entries }) => {
    const items = entries.map((entry) => {
      line += 1;
      return itemOf(entry, line, words);
    });
    return `<section class="agreement">
<h3>${escaped(title)}</h3>
<p class="soft"><code>${escaped(agreementId)}</code></p>
<ol class="chain">
${items.join('\n')}
</ol>
</section>`;
  });
  return sections.length > 0 ? `<h2>${escaped(words.labels.history)}</h2>\n${sections.join('\n')}` : '';
}

function itemOf({ record, text, receipt }: Entry, line: number, { labels: l, when }: Words): string {
  const shown = text ? `${text.title}, ${l.version} ${record.versionId}` : `${l.version} ${record.versionId}`;
  const language = `${record.locale} (${record.localeSource === 'stated' ? l.chosen : l.negotiated})`;
  return `<li class="was-${escaped(record.action)}">
<div class="head">${badge(record, l)} ${time(record.recordedAt, when)} <span class="soft">${escaped(`${l.number} ${record.sequence}`)}</span></div>
${listed('', [
  [l.text, escaped(shown)],
  [l.language, escaped(language)],
  [l.app, escaped(record.appVersion ?? l.unknown)],
  [l.source, escaped(record.source === 'imported' ? l.imported : l.user)],
  ...(text ? [[l.address, escaped(text.contentUrl)] as const] : []),
  [l.fingerprint, `<code>${escaped(record.contentHash)}</code>`],
  [l.recordFingerprint, `<code>${escaped(record.hash)}</code>`],
  [l.previousFingerprint, record.previousHash ? `<code>${escaped(record.previousHash)}</code>` : escaped(l.first)],
  [l.receipt, escaped(receipt ? `consents.jsonl, ${l.line} ${line}` : l.noReceipt)],
])}
${receipt ? `<details><summary>${escaped(l.receipt)}</summary><code>${escaped(receipt)}</code></details>` : ''}
</li>`;
}

function checkOf({ agreements, keys }: Evidence, { labels: l }: Words): string {
  const problems = agreements.flatMap(({ title, problems: found }) => found.map((says) => `${title}: ${says}`));
  const verdict =
    problems.length === 0
      ? `<p class="verdict agreed">${escaped(l.intact)}</p>`
      : `<div class="verdict revoked">${escaped(l.broken)}<ul>${problems.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul></div>`;
  return `<section>
<h2>${escaped(l.check)}</h2>
${verdict}
<p>${escaped(l.unchecked)}</p>
<ol class="steps">${l.steps.map((step) => `<li>${escaped(step)}</li>`).join('\n')}</ol>
<p class="soft">${escaped(l.signingKeys)} ${keys.map(({ kid }) => `<code>${escaped(kid)}</code>`).join(', ')}</p>
</section>`;
}

function badge({ action }: SignedRecord, l: Labels): string {
  return `<span class="badge ${escaped(action)}">${escaped(action === 'agreed' ? l.agreed : l.revoked)}</span>`;
}

function time(at: string, when: (time: string) => string): string {
  return `<time datetime="${escaped(at)}">${escaped(when(at))}</time>`;
}

/** @param rows terms, and descriptions that already are HTML */
function listed(className: string, rows: readonly (readonly [term: string, html: string])[]): string {
  const items = rows.map(([term, html]) => `<dt>${escaped(term)}</dt><dd>${html}</dd>`);
  return `<dl${className && ` class="${className}"`}>${items.join('\n')}</dl>`;
}
