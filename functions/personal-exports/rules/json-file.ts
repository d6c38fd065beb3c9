/** The text of a domain's file: one object, in which each table is an array of its rows; made piece by piece. */

type Row = Readonly<Record<string, unknown>>;

export type TableInFile = {
  /** The table's name. */
  readonly name: string;
  readonly isFirstOfFile: boolean;
  readonly isLastOfFile: boolean;
};

/** Before the first row of a table. */
export function opening({ name, isFirstOfFile }: TableInFile): string {
  return `${isFirstOfFile ? '{\n' : ',\n'}  ${JSON.stringify(name)}: [`;
}

/** @param already how many rows of the table stand before these */
export function rowsText(rows: readonly Row[], already: number): string {
  return rows
    .map((row, index) => {
      const text = JSON.stringify(row, plain, 2).replaceAll('\n', '\n    ');
      return `${already + index === 0 ? '' : ','}\n    ${text}`;
    })
    .join('');
}

/** After its last row. @param rows how many there were */
export function closing({ isLastOfFile }: TableInFile, rows: number): string {
  return `${rows === 0 ? '' : '\n  '}]${isLastOfFile ? '\n}\n' : ''}`;
}

/** DynamoDB has values that JSON has not: sets, bytes, and numbers that are too large for it. */
function plain(_name: string, value: unknown): unknown {
  if (value instanceof Set) return [...value];
  if (value instanceof Uint8Array) return base64(value);
  return typeof value === 'bigint' ? value.toString() : value;
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
