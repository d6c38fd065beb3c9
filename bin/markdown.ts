/** Generated parts of a page, between `<!-- name -->` and `<!-- /name -->`. */

/** @returns the text with the content between the markers; null if it has no markers. */
export function withPart(text: string, name: string, content: string): string | null {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close);
  if (start < 0 || end < start) return null;
  return `${text.slice(0, start)}${open}\n\n${content}\n\n${text.slice(end)}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
