import { html } from 'hono/html';
import type { SignedRecord } from '../routes.ts';
import { labels, type PageLocale } from './evidence-labels.ts';
import { lines, pageHead } from './html.ts';
import {
  badge,
  code,
  listed,
  type RecordText,
  type Row,
  recordRows,
  time,
  type Words,
  wordsIn,
} from './record-html.ts';

/** The page on consents in a person's own export, written part by part: each agreement, then its decisions. */

export type Listed = {
  readonly record: SignedRecord;
  readonly text: RecordText;
  /** A compact JWS; null before the first request for it. */
  readonly receipt: string | null;
};

const words = {
  en: {
    verify: 'How a decision can be verified',
    steps: [
      'Each decision can have a receipt that the service has signed. Where one was asked for it stands here; any other is had in the app, or at the address that the decision names.',
      'POST /agreements/receipts/verify at the address of the service says whether a receipt is genuine, without a sign-in. Its public keys are at /.well-known/jwks.json: any program for signatures of the kind JWS (ES256) checks a receipt by those with "signs": "consent-receipt+jwt", without the service.',
      'The fingerprint of a text is its SHA-256. The text that you were shown has exactly this fingerprint.',
    ],
    address: 'Address of the receipt',
  },
  de: {
    verify: 'Wie sich eine Entscheidung prüfen lässt',
    steps: [
      'Zu jeder Entscheidung kann es eine Quittung geben, die der Dienst signiert hat. Wo eine verlangt wurde, steht sie hier; jede andere gibt es in der App oder unter der Adresse, die bei der Entscheidung steht.',
      'POST /agreements/receipts/verify an der Adresse des Dienstes sagt ohne Anmeldung, ob eine Quittung echt ist. Seine öffentlichen Schlüssel stehen unter /.well-known/jwks.json: Jedes Programm für Signaturen der Art JWS (ES256) prüft eine Quittung mit denen, bei denen "signs": "consent-receipt+jwt" steht, auch ohne den Dienst.',
      'Der Fingerabdruck eines Textes ist sein SHA-256. Der Text, der Ihnen angezeigt wurde, hat genau diesen Fingerabdruck.',
    ],
    address: 'Adresse der Quittung',
  },
} as const;

export function headOfList(locale: PageLocale, timeZone: string): string {
  const l = labels[locale];
  return String(html`${pageHead(locale, l.title)}
<header>
<h1>${l.title}</h1>
<p>${l.intro}</p>
<p class="soft">${l.times} ${timeZone}</p>
</header>
`);
}

/** @param title the agreement's title, or its id if the catalogue no longer has it */
export function headOfAgreement(agreementId: string, title: string): string {
  return String(html`<section class="agreement">
<h2>${String(title)}</h2>
<p class="soft"><code>${agreementId}</code></p>
<ol class="chain">
`);
}

export const footOfAgreement = '</ol>\n</section>\n';

export function itemsOfList(all: readonly Listed[], locale: PageLocale, timeZone: string): string {
  const shared = wordsIn(locale, timeZone);
  return all.map((each) => itemOf(each, shared, words[locale].address)).join('');
}

function itemOf({ record, text, receipt }: Listed, shared: Words, address: string) {
  const { action, agreementId, recordId } = record;
  const rows: Row[] = [
    ...recordRows(record, text, shared.labels),
    receipt === null
      ? [address, code(`/users/agreements/${agreementId}/history/${recordId}/receipt`)]
      : [shared.labels.receipt, code(receipt)],
  ];
  return html`<li class="was-${String(action)}">
<div class="head">${badge(record, shared)} ${time(record, shared)}</div>
${listed(rows)}
</li>
`;
}

/** @param isEmpty no agreement was written before it */
export function footOfList(locale: PageLocale, isEmpty: boolean): string {
  const { verify, steps } = words[locale];
  return String(html`${isEmpty && html`<p>${labels[locale].empty}</p>`}<section>
<h2>${verify}</h2>
<ul class="steps">${lines(steps.map((step) => html`<li>${step}</li>`))}</ul>
</section>
</main>
</body>
</html>
`);
}
