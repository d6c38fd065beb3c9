/** What a document's tables say. */

/** The lines below a heading, up to the next one of the same or a higher level. @throws an Error where the page has no such heading */
export function sectionOf(page: string, heading: string): string[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'));
  const [mark = ''] = /^#+/.exec(lines[start] ?? '') ?? [];
  if (mark === '') throw new Error(`no heading ${heading}`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => new RegExp(`^#{1,${mark.length}} `).test(line));
  return end === -1 ? rest : rest.slice(0, end);
}

/** The code that begins each row of the tables: `| `Key` | …` gives Key. */
export function firstCells(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? []);
}
