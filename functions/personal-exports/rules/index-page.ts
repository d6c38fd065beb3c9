import { html } from 'hono/html';
import type { ExportedDomain, ExportedFile, ExportedTable, TableText } from '../../../lib/contract/personal-data.ts';
import { lines, pageHead } from '../../receipts/rules.ts';
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
  const when = (time: string) => html`<time datetime="${time}">${format.format(new Date(time))}</time>`;
  return String(html`${pageHead(locale, l.title)}
<header>
<h1>${l.title}</h1>
<p>${l.intro}</p>
<p class="soft">${l.careful}</p>
<dl class="facts">
<dt>${l.person}</dt><dd><code>${userId}</code><br><span class="soft">${l.personHint}</span></dd>
<dt>${l.asked}</dt><dd>${when(requestedAt)}</dd>
<dt>${l.made}</dt><dd>${when(madeAt)}<br><span class="soft">${l.times} ${timeZone}</span></dd>
</dl>
</header>
<section>
<h2>${l.files}</h2>
<p>${l.filesHint} ${l.timesInFiles} ${l.meanwhile}</p>
${lines(domains.map((domain) => fileOf(domain, contents, l)))}
</section>
${files.length > 0 && furtherOf(files, locale, l)}
<section>
<h2>${l.leftOut}</h2>
${listOf(l.leftOutItems)}
</section>
<section>
<h2>${l.recipients}</h2>
<p>${l.recipientsText}</p>
</section>
<section>
<h2>${l.rights}</h2>
${listOf(l.rightsItems)}
<p>${l.contact}</p>
</section>
</main>
</body>
</html>
`);
}

function fileOf({ domain, tables }: ExportedDomain, { locale, entries }: Contents, l: IndexLabels) {
  const file = `${domain}.json`;
  const lists = tables.map((each) => tableOf(each, entries(domain, each.table.name), locale, l));
  return html`<div class="card">
<h3><a href="${file}">${file}</a></h3>
${lines(lists)}
</div>`;
}

function tableOf({ table, inEnglish, inGerman }: ExportedTable, count: number, locale: 'en' | 'de', l: IndexLabels) {
  const said = locale === 'de' ? inGerman : inEnglish;
  // Text without a translation is in English, and marked as English for screen readers.
  const { holds, why, howLong, readers } = said ?? inEnglish;
  const language = said ? '' : html` lang="en"`;
  const row = (term: string, text: string) => html`<dt>${term}</dt><dd${language}>${plain(text)}</dd>`;
  return html`<p><strong>${l.list} ${table.name}</strong> <span class="soft">${count === 0 ? l.empty : l.entries(count)}</span></p>
<dl>
${row(l.what, holds)}
${row(l.why, why)}
${row(l.howLong, howLong)}
${row(l.readers, readers)}
</dl>`;
}

/** The declarations are written for a page in Markdown, too. */
function plain(text: TableText['holds']): string {
  return text.replaceAll('`', '');
}

function furtherOf(files: Contents['files'], locale: 'en' | 'de', l: IndexLabels) {
  const items = files.map(({ name, holds }) => html`<li><a href="${name}">${name}</a>: ${holds[locale]}</li>`);
  return html`<section>\n<h2>${l.pages}</h2>\n<ul class="steps">${lines(items)}</ul>\n</section>`;
}

function listOf(items: readonly string[]) {
  return html`<ul class="steps">${lines(items.map((item) => html`<li>${item}</li>`))}</ul>`;
}
