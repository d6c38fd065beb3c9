import type { SignedRecord } from '../routes.ts';
import { type Labels, labels, type PageLocale } from './evidence-labels.ts';
import { style } from './evidence-style.ts';
import { escaped } from './html.ts';

/**
 * The page on consents in a person's own export, written part by part: each agreement, then its decisions. It is
 * complete, without scripts and without references to other files.
 */

export type Listed = {
  readonly record: SignedRecord;
  /** The version's title in the record's language; null if the catalogue no longer has it. */
  readonly text: { readonly title: string; readonly contentUrl: string } | null;
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
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(l.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>${escaped(l.title)}</h1>
<p>${escaped(l.intro)}</p>
<p class="soft">${escaped(`${l.times} ${timeZone}`)}</p>
</header>
`;
}

/** @param title the agreement's title, or its id if the catalogue no longer has it */
export function headOfAgreement(agreementId: string, title: string): string {
  return `<section class="agreement">
<h2>${escaped(title)}</h2>
<p class="soft"><code>${escaped(agreementId)}</code></p>
<ol class="chain">
`;
}

export const footOfAgreement = '</ol>\n</section>\n';

export function itemsOfList(listed: readonly Listed[], locale: PageLocale, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone });
  const when = (at: string) => (Number.isNaN(Date.parse(at)) ? at : format.format(new Date(at)));
  return listed.map((each) => itemOf(each, labels[locale], locale, when)).join('');
}

function itemOf(
  { record, text, receipt }: Listed,
  l: Labels,
  locale: PageLocale,
  when: (at: string) => string,
): string {
  const { action, recordedAt, versionId, agreementId, recordId } = record;
  const is = action === 'agreed' ? l.agreed : l.revoked;
  const rows: readonly (readonly [string, string])[] = [
    [l.text, escaped(text ? `${text.title}, ${l.version} ${versionId}` : `${l.version} ${versionId}`)],
    [l.language, escaped(`${record.locale} (${record.localeSource === 'stated' ? l.chosen : l.negotiated})`)],
    [l.app, escaped(record.appVersion ?? l.unknown)],
    [l.source, escaped(record.source === 'imported' ? l.imported : l.user)],
    ...(text ? [[l.address, escaped(text.contentUrl)] as const] : []),
    [l.fingerprint, `<code>${escaped(record.contentHash)}</code>`],
    [l.recordFingerprint, `<code>${escaped(record.hash)}</code>`],
    receipt === null
      ? [
          words[locale].address,
          `<code>${escaped(`/users/agreements/${agreementId}/history/${recordId}/receipt`)}</code>`,
        ]
      : [l.receipt, `<code>${escaped(receipt)}</code>`],
  ];
  return `<li class="was-${escaped(action)}">
<div class="head"><span class="badge ${escaped(action)}">${escaped(is)}</span> <time datetime="${escaped(recordedAt)}">${escaped(when(recordedAt))}</time></div>
<dl>${rows.map(([term, html]) => `<dt>${escaped(term)}</dt><dd>${html}</dd>`).join('\n')}</dl>
</li>
`;
}

/** @param isEmpty no agreement was written before it */
export function footOfList(locale: PageLocale, isEmpty: boolean): string {
  const { verify, steps } = words[locale];
  return `${isEmpty ? `<p>${escaped(labels[locale].empty)}</p>` : ''}<section>
<h2>${escaped(verify)}</h2>
<ul class="steps">${steps.map((step) => `<li>${escaped(step)}</li>`).join('\n')}</ul>
</section>
</main>
</body>
</html>
`;
}
