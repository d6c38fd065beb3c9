import { html } from 'hono/html';

/** The page's only style sheet: readable on a phone, on paper and at night. */
export const style = html`
:root { color-scheme: light dark; --ink: #1d2b2f; --soft: #5a6b70; --paper: #fbfaf7; --card: #fff; --line: #dcdfdc; --yes: #17614f; --yes-soft: #e2f1ec; --no: #8a3b12; --no-soft: #f9eae1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ecea; --soft: #9db0ae; --paper: #12191b; --card: #1a2427; --line: #314044; --yes: #7fd3ba; --yes-soft: #163a32; --no: #f0ab84; --no-soft: #41261a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font: 600 2rem/1.2 Georgia, "Times New Roman", serif; margin: 0 0 .75rem; text-wrap: balance; }
h2 { font: 600 1.35rem/1.3 Georgia, "Times New Roman", serif; margin: 3rem 0 1rem; }
h3 { font-size: 1.1rem; margin: 0; }
p { margin: 0 0 1rem; }
a { color: inherit; }
.soft { color: var(--soft); }
dl { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: .35rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .82rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.facts { border-block: 1px solid var(--line); padding-block: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.15rem; margin: 0 0 .75rem; }
.now { display: flex; justify-content: space-between; align-items: baseline; gap: .25rem 1rem; flex-wrap: wrap; }
.badge { display: inline-block; border-radius: 1rem; padding: .05rem .7rem; font-weight: 600; font-size: .9rem; white-space: nowrap; }
.agreed { color: var(--yes); background: var(--yes-soft); }
.revoked { color: var(--no); background: var(--no-soft); }
ol.chain { list-style: none; margin: 1rem 0 2rem .4rem; padding: 0 0 0 1.15rem; border-left: 2px solid var(--line); }
ol.chain > li { position: relative; margin: 0 0 1.5rem; }
ol.chain > li::before { content: ""; position: absolute; left: -1.55rem; top: .5rem; width: .7rem; height: .7rem; border-radius: 50%; background: var(--soft); }
ol.chain > li.was-agreed::before { background: var(--yes); }
ol.chain > li.was-revoked::before { background: var(--no); }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; margin: 0 0 .5rem; }
time { font-variant-numeric: tabular-nums; }
details { margin-top: .5rem; }
summary { cursor: pointer; color: var(--soft); }
.steps li { margin-bottom: .6rem; }
.verdict { border-left: 4px solid; padding: .75rem 1rem; border-radius: .3rem; }
@media (max-width: 34rem) { main { padding-top: 1.5rem; } h1 { font-size: 1.6rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@page { size: A4; margin: 18mm 16mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --paper: #fff; --card: #fff; --line: #bbb; --yes: #0d4d3e; --yes-soft: #fff; --no: #7a2f0a; --no-soft: #fff; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  .badge { border: 1px solid; }
  code { font-size: 7.5pt; }
  h2, h3, .head { break-after: avoid; }
  ol.chain > li, .card, .verdict { break-inside: avoid; }
  details { display: none; }
}
`;
