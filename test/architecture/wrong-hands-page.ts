import { readFileSync } from 'node:fs';

/** The rows of docs/security/roles.md. */

export const page = readFileSync(new URL('../../docs/security/roles.md', import.meta.url), 'utf8');

export const kinds = ['new', 'over', 'removal'] as const;
export type Kind = (typeof kinds)[number];
export type State = 'prevented' | 'discovered' | 'open';

export type PageRow = {
  readonly name: string;
  readonly cells: readonly string[];
  readonly could: string;
  readonly found: string;
};

export function rowsOf(part: 'tables' | 'others'): PageRow[] {
  const [, text = ''] = page.split(new RegExp(`<!-- /?${part} -->`));
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, name = '', ...rest] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const cells = rest.slice(0, -1);
      return { name: name.replaceAll('`', ''), cells, could: cells.at(-2) ?? '', found: cells.at(-1) ?? '' };
    });
}

/** By table, what becomes of each kind of attack: `new: open, over: discovered, removal: prevented`. */
export const statesOf = ({ cells }: PageRow): Partial<Record<Kind, State>> =>
  Object.fromEntries((cells.at(-3) ?? '').split(', ').map((part) => part.split(': ')));

export const tableRows: ReadonlyMap<string, PageRow> = new Map(rowsOf('tables').map((row) => [row.name, row]));
