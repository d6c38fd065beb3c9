/** CSV as in RFC 4180, in UTF-8. No spreadsheet reads a value as a formula. Pure. */

export type Cell = string | number | boolean | null;

/** A spreadsheet runs a text that begins like this. The apostrophe is included, so a reader can always remove a leading apostrophe. */
const dangerous = /^[=+\-@\0\t\r\n'\uff1d\uff0b\uff0d\uff20]/;
const toBeQuoted = /[",\r\n]/;

/** With the line break at its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/** Numbers are unchanged, also negative ones. A missing value is an empty cell, an empty text is `""`. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = dangerous.test(cell) ? `'${cell}` : cell;
  return safe === '' || toBeQuoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
