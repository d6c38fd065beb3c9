/** CSV as RFC 4180 has it, in UTF-8, that no spreadsheet takes for a formula. Pure. */

export type Cell = string | number | boolean | null;

/** A spreadsheet runs what begins so. The apostrophe itself is in it, so that a leading one always is ours to take away. */
const dangerous = /^[=+\-@\t\r\n'\uff1d\uff0b\uff0d\uff20]/;
const toBeQuoted = /[",\r\n]/;

/** Ended by a line break, as each line is. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/** Numbers are as they are, also negative ones; nothing is an empty cell, an empty text is `""`. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = dangerous.test(cell) ? `'${cell}` : cell;
  return safe === '' || toBeQuoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
