import type { ExportedDomain, ExportedFile, ExportedTable, TableText } from '../../../lib/contract/personal-data.ts';
import { escaped, style } from '../../receipts/rules.ts';
import { type IndexLabels, indexLabels } from './index-labels.ts';

/** The first page of a personal export: what each file is, for what, for whom and how long. Whole in itself, without a script. */

export type Contents = {
  readonly userId: string;
  readonly locale: 'en' | 'de';
  /** IANA's name. */
  readonly timeZone: string;
  readonly requestedAt: string;
  readonly madeAt: string;
  readonly domains: readonly ExportedDomain[];
  readonly files: readonly Pick<ExportedFile, 'name' | 'holds'>[];
  /** By domain and table: how many entries there are. */
  readonly entries: (domain: string, table: string) => number;
};

export function indexPage(contents: Contents): string {
  const { userId, locale, timeZone, requestedAt, madeAt, domains, files } = contents;
  const l = indexLabels[locale];
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const when = (time: string) => `<time datetime="${escaped(time)}">${escaped(format.format(new Date(time)))}</time>`;
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
<p class="soft">${escaped(l.careful)}</p>
<dl class="facts">
<dt>${escaped(l.person)}</dt><dd><code>${escaped(userId)}</code><br><span class="soft">${escaped(l.personHint)}</span></dd>
<dt>${escaped(l.asked)}</dt><dd>${when(requestedAt)}</dd>
<dt>${escaped(l.made)}</dt><dd>${when(madeAt)}<br><span class="soft">${escaped(`${l.times} ${timeZone}`)}</span></dd>
</dl>
</header>
<section>
<h2>${escaped(l.files)}</h2>
<p>${escaped(l.filesHint)} ${escaped(l.timesInFiles)} ${escaped(l.meanwhile)}</p>
${domains.map((domain) => fileOf(domain, contents, l)).join('\n')}
</section>
${files.length > 0 ? furtherOf(files, locale, l) : ''}
<section>
<h2>${escaped(l.leftOut)}</h2>
${listOf(l.leftOutItems)}
</section>
<section>
<h2>${escaped(l.recipients)}</h2>
<p>${escaped(l.recipientsText)}</p>
</section>
<section>
<h2>${escaped(l.rights)}</h2>
${listOf(l.rightsItems)}
<p>${escaped(l.contact)}</p>
</section>
</main>
</body>
</html>
`;
}

function fileOf({ domain, tables }: ExportedDomain, { locale, entries }: Contents, l: IndexLabels): string {
  const file = `${domain}.json`;
  const lists = tables.map((each) => tableOf(each, entries(domain, each.table.name), locale, l));
  return `<div class="card">
<h3><a href="${escaped(file)}">${escaped(file)}</a></h3>
${lists.join('\n')}
</div>`;
}

function tableOf(
  { table, inEnglish, inGerman }: ExportedTable,
  count: number,
  locale: 'en' | 'de',
  l: IndexLabels,
): string {
  const said = locale === 'de' ? inGerman : inEnglish;
  // Text without a translation is in English, and marked as English for screen readers.
  const { holds, why, howLong, readers } = said ?? inEnglish;
  const language = said ? '' : ' lang="en"';
  const row = (term: string, text: string) => `<dt>${escaped(term)}</dt><dd${language}>${plain(text)}</dd>`;
  return `<p><strong>${escaped(l.list)} ${escaped(table.name)}</strong> <span class="soft">${escaped(count === 0 ? l.empty : l.entries(count))}</span></p>
<dl>
${row(l.what, holds)}
${row(l.why, why)}
${row(l.howLong, howLong)}
${row(l.readers, readers)}
</dl>`;
}

/** The declarations are written for a page in Markdown, too. */
function plain(text: TableText['holds']): string {
  return escaped(text.replaceAll('`', ''));
}

function furtherOf(files: Contents['files'], locale: 'en' | 'de', l: IndexLabels): string {
  const items = files.map(({ name, holds }) => {
    return `<li><a href="${escaped(name)}">${escaped(name)}</a>: ${escaped(holds[locale])}</li>`;
  });
  return `<section>\n<h2>${escaped(l.pages)}</h2>\n<ul class="steps">${items.join('\n')}</ul>\n</section>`;
}

function listOf(items: readonly string[]): string {
  return `<ul class="steps">${items.map((item) => `<li>${escaped(item)}</li>`).join('\n')}</ul>`;
}
