import { html, raw } from 'hono/html';
import type { Drawing } from './drawing.ts';

/** One page without scripts. It loads nothing from other sites. */
export function reportPage(
  drawings: readonly Drawing[],
  { source, leftOut, leastPeople }: { source: string; leftOut: number; leastPeople: number },
): string {
  const note =
    leftOut === 0 ? '' : ` Fewer than ${leastPeople} people are behind some figures. These are left out: ${leftOut}.`;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>How the service is used</title>
<style>
:root { color-scheme: light dark; --back: #ffffff; --text: #1b1f24; --faint: #59636e; --line: #d1d9e0;
  --one: #0b6bcb; --two: #b35900; --three: #1a7f4b; --four: #8250df; --five: #b02a50; --six: #5b6b00; }
@media (prefers-color-scheme: dark) {
  :root { --back: #12161c; --text: #e6edf3; --faint: #9da7b3; --line: #333c47;
    --one: #6cb6ff; --two: #f0a35e; --three: #5cc98f; --four: #c4a1ff; --five: #ff8fb0; --six: #c6d35a; }
}
body { background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem; max-width: 60rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .25rem; }
p { color: var(--faint); margin: .25rem 0 1rem; overflow-wrap: anywhere; } figure { margin: 0; } svg { max-width: 100%; height: auto; }
details { border-top: 1px solid var(--line); padding: .5rem 0; } table { border-collapse: collapse; font-size: .9rem; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .8rem .2rem 0; text-align: left; font-variant-numeric: tabular-nums; }
@media print { details { display: none; } }
</style>
</head>
<body>
<main>
<h1>How the service is used</h1>
<p>${source}${note}</p>
${drawings.map((drawing, index) => html`${section(drawing, index)}\n`)}</main>
</body>
</html>
`);
}

const nothing = html`<p>There is nothing to show.</p>`;

function section({ title, description, svg, table }: Drawing, index: number) {
  const id = `figure-${index + 1}`;
  const cells = (tag: 'th' | 'td', row: readonly (string | number)[]) => {
    const scope = tag === 'th' ? html` scope="col"` : '';
    return html`<tr>${row.map((cell) => html`<${tag}${scope}>${cell}</${tag}>`)}</tr>`;
  };
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<figure>
${table.rows.length === 0 ? nothing : html`<figcaption><p>${description}</p></figcaption>\n${raw(svg)}`}
</figure>
<details>
<summary>The numbers</summary>
<table>
<thead>${cells('th', table.columns)}</thead>
<tbody>
${table.rows.map((row) => html`${cells('td', row)}\n`)}</tbody>
</table>
</details>
</section>`;
}
