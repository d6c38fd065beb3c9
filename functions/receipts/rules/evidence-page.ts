import { html } from 'hono/html';
import type { SignedRecord } from '../routes.ts';
import type { PageLocale } from './evidence-labels.ts';
import { lines, pageHead } from './html.ts';
import { badge, code, listed, type RecordText, recordRows, time, type Words, wordsIn } from './record-html.ts';

/** A person's evidence as a page to hand over. */

export type Entry = {
  record: SignedRecord;
  text: RecordText;
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

/** @param timeZone IANA's name */
export function evidencePage(evidence: Evidence, locale: PageLocale, timeZone: string): string {
  const words = wordsIn(locale, timeZone);
  return String(html`${pageHead(locale, words.labels.title)}
${headOf(evidence, words, timeZone)}
${nowOf(evidence, words)}
${historyOf(evidence, words)}
${checkOf(evidence, words)}
</main>
</body>
</html>
`);
}

function headOf({ userId, environment, exportedAt, agreements }: Evidence, words: Words, timeZone: string) {
  const { labels: l, when } = words;
  const services = [...new Set(agreements.flatMap(({ application }) => application ?? []))].join(', ');
  const decisions = agreements.reduce((sum, { entries }) => sum + entries.length, 0);
  const rows = [
    [l.person, html`<code>${userId}</code><br><span class="soft">${l.personHint}</span>`],
    [l.service, `${services || '–'} (${environment})`],
    [l.made, html`${when(exportedAt)}<br><span class="soft">${l.times} ${timeZone}</span>`],
    [l.decisions, decisions],
  ] as const;
  return html`<header>
<h1>${l.title}</h1>
<p>${l.intro}</p>
${listed(rows, 'facts')}
</header>`;
}

function nowOf({ agreements }: Evidence, words: Words) {
  const { labels: l } = words;
  const cards = agreements.map(({ title, isRequired, entries }) => {
    const last = entries.at(-1)?.record;
    if (!last) return '';
    return html`<div class="card now"><div><h3>${String(title)}</h3><span class="soft">${isRequired ? l.required : l.optional}</span></div>
<div>${badge(last, words)} <span class="soft">${l.since} ${time(last, words)}</span></div></div>`;
  });
  const body = cards.length > 0 ? lines(cards) : html`<p>${l.empty}</p>`;
  return html`<section>\n<h2>${l.now}</h2>\n${body}\n</section>`;
}

function historyOf({ agreements }: Evidence, words: Words) {
  let line = 0;
  const sections = agreements.map(({ title, agreementId, entries }) => {
    const items = entries.map((entry) => {
      line += 1;
      return itemOf(entry, line, words);
    });
    return html`<section class="agreement">
<h3>${String(title)}</h3>
<p class="soft"><code>${agreementId}</code></p>
<ol class="chain">
${lines(items)}
</ol>
</section>`;
  });
  return sections.length > 0 && html`<h2>${words.labels.history}</h2>\n${lines(sections)}`;
}

function itemOf({ record, text, receipt }: Entry, line: number, words: Words) {
  const { labels: l } = words;
  const rows = [
    ...recordRows(record, text, l),
    [l.previousFingerprint, record.previousHash ? code(record.previousHash) : l.first],
    [l.receipt, receipt ? `consents.jsonl, ${l.line} ${line}` : l.noReceipt],
  ] as const;
  return html`<li class="was-${String(record.action)}">
<div class="head">${badge(record, words)} ${time(record, words)} <span class="soft">${`${l.number} ${record.sequence}`}</span></div>
${listed(rows)}
${receipt && html`<details><summary>${l.receipt}</summary>${code(receipt)}</details>`}
</li>`;
}

function checkOf({ agreements, keys }: Evidence, { labels: l }: Words) {
  const problems = agreements.flatMap(({ title, problems: found }) => found.map((says) => `${title}: ${says}`));
  const verdict =
    problems.length === 0
      ? html`<p class="verdict agreed">${l.intact}</p>`
      : html`<div class="verdict revoked">${l.broken}<ul>${problems.map((one) => html`<li>${one}</li>`)}</ul></div>`;
  return html`<section>
<h2>${l.check}</h2>
${verdict}
<p>${l.unchecked}</p>
<ol class="steps">${lines(l.steps.map((step) => html`<li>${step}</li>`))}</ol>
<p class="soft">${l.signingKeys} ${keys.map(({ kid }, at) => [at > 0 && ', ', code(kid)])}</p>
</section>`;
}
